// The page at the sizes of a phone, a laptop and a large screen, dark and light: pictures to look at, and what can be measured.
import { join } from "node:path";

const sizes = [
  { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

export default async function (t) {
  const brightness = {};
  for (const viewport of sizes) {
    for (const theme of ["dark", "light"]) {
      const name = `${viewport.width}x${viewport.height}-${theme}`;
      const sandbox = await t.open({ viewport, theme });
      await sandbox.frames(20);
      await sandbox.page.screenshot({ path: join(t.out, `${name}.png`) });
      const seen = await sandbox.page.evaluate(() => ({
        wide: document.documentElement.scrollWidth - innerWidth,
        high: document.documentElement.scrollHeight - innerHeight,
        canvas: document.querySelector("#canvas").getBoundingClientRect().toJSON(),
        unnamed: [...document.querySelectorAll("button, input, select, textarea")].filter((e) => e.checkVisibility()
          && !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.labels?.length || e.innerText?.trim() || e.title)).map((e) => e.outerHTML.slice(0, 100)),
        small: [...document.querySelectorAll("button")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24).map((e) => e.id || e.outerHTML.slice(0, 80)),
      }));
      t.check(`${name}: nothing is wider than the page`, seen.wide <= 0, seen);
      t.check(`${name}: nothing is higher`, seen.high <= 0, seen);
      t.check(`${name}: the picture has a good part of it`, seen.canvas.width * seen.canvas.height > 0.2 * viewport.width * viewport.height, seen.canvas);
      t.equal(`${name}: each control has a name`, seen.unnamed, []);
      t.equal(`${name}: each button can be hit`, seen.small, []);
      brightness[theme] = (await sandbox.picture("#bar")).brightness;
      t.equal(`${name}: no complaint`, sandbox.complaints, []);
      await sandbox.close();
      t.sandboxes.pop();
    }
    t.check(`${viewport.width}: light is brighter than dark`, brightness.light > brightness.dark + 50, brightness);
  }
}
