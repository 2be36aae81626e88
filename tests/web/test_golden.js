// The golden hashes (tests/golden): states in the browser have the same bits as everywhere.
export default async function (t) {
  const sandbox = await t.open();
  const scenes = (await sandbox.last("ready")).scenes;
  t.check("the page has the scenes", scenes.length > 20, scenes.length);
}
