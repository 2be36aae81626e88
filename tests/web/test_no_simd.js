// A browser without WebAssembly SIMD: one sentence that tells what to do, with the script kept. Chromium has none on a
// processor without SSE 4.1.
export const flags = ["--js-flags=--no-enable-sse4-1"];

export default async function (t) {
  const sandbox = await t.open({ started: false });
  const message = (await sandbox.next("unsupported")).message;
  t.contains("the sentence", message, /SIMD/);
  t.check("is one sentence", /^[A-Z][^\n]*\.$/.test(message), message);
  await sandbox.until("it is seen", (text) => document.body.innerText.includes(text), message);
  t.check("it is visible", await sandbox.visible("#message"), await sandbox.body());
  await sandbox.write("-- kept");
  t.equal("the editor works", await sandbox.written(), "-- kept");
  await sandbox.until("it is in the storage", () =>
    Object.values({ ...localStorage }).some((value) => value.includes("-- kept")));
  await sandbox.go();
  t.equal("the script is kept", await sandbox.written(), "-- kept");
}
