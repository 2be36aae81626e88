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
      await sandbox.screenshot(join(t.out, `${name}.png`));
      const seen = await sandbox.page.evaluate(() => {
        const shown = (names) => [...document.querySelectorAll(names)].filter((element) => element.checkVisibility());
        const is_named = (e) => e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.labels?.length
          || e.innerText?.trim() || e.title;
        const start = (element) => element.outerHTML.slice(0, 100);
        return {
          wide: document.documentElement.scrollWidth - innerWidth,
          high: document.documentElement.scrollHeight - innerHeight,
          canvas: document.querySelector("#canvas").getBoundingClientRect().toJSON(),
          unnamed: shown("button, input, select, textarea").filter((e) => !is_named(e)).map(start),
          small: shown("button:not(.plain)").filter((e) => e.getBoundingClientRect().height < 22).map(start),
        };
      });
      t.check(`${name}: nothing is wider than the page`, seen.wide <= 0, seen);
      t.check(`${name}: nothing is higher`, seen.high <= 0, seen);
      const part = (seen.canvas.width * seen.canvas.height) / (viewport.width * viewport.height);
      t.check(`${name}: the picture has a good part of it`, part > 0.2, seen.canvas);
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
