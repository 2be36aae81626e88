// Links as the tests make and change them: base64url of zlib's format of JSON (scenes/links.md).
import { deflateSync, inflateSync } from "node:zlib";

export function read_link(address) {
  const payload = address.slice(address.indexOf("#") + 1);
  return JSON.parse(inflateSync(Buffer.from(payload, "base64url")).toString("utf8"));
}

export function write_link(content) {
  const json = typeof content === "string" ? content : JSON.stringify(content);
  return `#${deflateSync(Buffer.from(json), { level: 9 }).toString("base64url")}`;
}
