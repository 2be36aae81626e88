// A scene that asks for files, processes and other things that a browser has not: a sentence each, and the script is kept.
import { cloth } from "./scenes.js";

const asking = [
  ["io.open", 'io.open("/etc/passwd"):read("a")'],
  ["os.execute", 'os.execute("ls")'],
  ["os.getenv", 'print(os.getenv("HOME"):len())'],
  ["a mesh from a file", 'assert(tide.mesh.load("bunny.obj"))'],
  ["a mesh outside", 'assert(tide.mesh.load("/etc/passwd.obj"))'],
  ["a module that is not there", 'require "my_module"'],
  ["a module outside", 'require "../../etc/passwd"'],
  ["dofile", 'dofile("other.lua")'],
  ["load of binary code", 'assert(load(string.dump(function() end)))()'],
  ["package.loadlib", 'package.loadlib("/lib/x.so", "f")()'],
];

export default async function (t) {
  const sandbox = await t.open();
  for (const [name, line] of asking) {
    const text = cloth(line);
    const error = await sandbox.answer("error", () => sandbox.write(text));
    t.check(`${name}: one line`, error.message.length > 0 && !error.message.includes("\n"), error);
    t.check(`${name}: at the script's line`, error.line === 9, error);
    t.equal(`${name}: the script is kept`, await sandbox.written(), text);
  }
  const error = await sandbox.answer("error", () => sandbox.write(cloth('assert(tide.mesh.load("bunny.obj"))')));
  t.contains("a file: the file is named", error.message, "bunny.obj");
  await sandbox.answer("good", () => sandbox.write(cloth()));
  await sandbox.frames(2);
  t.equal("no request was made", sandbox.asked.filter((url) => /bunny|passwd|my_module|other\.lua/.test(url)), []);
}
