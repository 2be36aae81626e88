// Reads the PNG files of screenshots: 8 bits a channel, not interlaced.
import { inflateSync } from "node:zlib";

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** @param {Buffer} file @returns {{width: number, height: number, channels: number, bytes: Buffer}} */
export function read_png(file) {
  const parts = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    if (type === "IHDR") {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[data[9]];
      if (data[8] !== 8 || !channels || data[12] !== 0) {
        throw new Error(`a screenshot of depth ${data[8]}, colour type ${data[9]} and interlacing ${data[12]}`);
      }
    } else if (type === "IDAT") {
      parts.push(data);
    }
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? bytes[to + i - channels] : 0;
      const up = y > 0 ? bytes[to + i - stride] : 0;
      const corner = i >= channels && y > 0 ? bytes[to + i - stride - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      bytes[to + i] = raw[from + i] + guess;
    }
  }
  return { width, height, channels, bytes };
}
