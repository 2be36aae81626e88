// Hashes: the same frame has the same bits at each visit, however one comes there.
import { cloth } from "./scenes.js";

export default async function (t) {
  const sandbox = await t.open();
  await sandbox.answer("opened", () => sandbox.send({ type: "open", name: "cloth", script: cloth(), play: false }));
  const hash = await sandbox.hash_at(30);
  t.contains("a hash has 16 digits", hash, /^[0-9a-f]{16}$/);
  t.equal("the same again", await sandbox.hash_at(30), hash);
}
