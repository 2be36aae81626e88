// Scripts are kept in the browser's storage; without one, a sentence tells it and the page works.
import { cloth } from "./scenes.js";

export const browsers = ["chromium", "firefox"];

function without_storage() {
  for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
  }
}

function full_storage() {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
}

export default async function (t) {
  const kept = await t.open();
  const text = cloth("-- mine");
  await kept.answer("good", () => kept.write(text));
  await kept.until("kept", () => Object.values({ ...localStorage }).some((value) => value.includes("-- mine")));
  await kept.go();
  await kept.frames(2);
  t.equal("the script is there after a reload", await kept.written(), text);
  t.equal("and runs", (await kept.last("opened")).bodies.map((body) => body.name), ["cloth"]);

  for (const [name, before] of [["no storage", without_storage], ["a full storage", full_storage]]) {
    const sandbox = await t.open({ before });
    t.check(`${name}: it moves`, true);
    await sandbox.write(text);
    await sandbox.until(`${name}: a sentence`, () => /save your script|storage|keeps nothing/i.test(
      document.querySelector("#message").innerText + document.querySelector("#toast").innerText));
    t.check(`${name}: a sentence tells it`, true);
    t.equal(`${name}: no complaint`, sandbox.complaints, []);
  }
}
