/* The chance of a match, worked out again from its seed as docs/chance.md describes it, with what every browser has. */

const text = (value) => new TextEncoder().encode(value);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of a text of hexadecimal digits. */
export const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function eight(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(number));
  return new Uint8Array(view.buffer);
}

const sha256 = async (value) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", value)));

/** The fingerprint of a seed. */
export const commitment = (id, seed) => sha256(joined(text("na-tahu/commitment/1\0"), text(id), text("\0"), seed));

/** The JSON text of a value with sorted keys and without blanks. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort((one, other) => compare(text(one), text(other)));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** The checksum of a record. */
export async function checksum(record) {
  const { checksum: _own, ...rest } = record;
  return sha256(text(canonical(rest)));
}

function compare(one, other) {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) if (one[at] !== other[at]) return one[at] - other[at];
  return one.length - other.length;
}

/** The draws of one row. */
export class Stream {
  constructor(seed, entropy, row) {
    this.seed = seed;
    this.head = joined(text("na-tahu/stream/1\0"), eight(row));
    this.mix = joined(...[...entropy].sort(compare));
    this.count = 0;
    this.numbers = [];
  }

  async number() {
    if (!this.numbers.length) {
      this.key ??= await crypto.subtle.importKey("raw", this.seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      const block = new DataView(await crypto.subtle.sign("HMAC", this.key, joined(this.head, eight(this.count), this.mix)));
      this.count += 1;
      this.numbers = [0, 8, 16, 24].map((at) => block.getBigUint64(at));
    }
    return this.numbers.shift();
  }

  /** A number from 0 to `faces` - 1. */
  async roll(faces) {
    const range = 2n ** 64n;
    const limit = range - (range % BigInt(faces));
    let number;
    do number = await this.number();
    while (number >= limit);
    return Number(number % BigInt(faces));
  }

  /** The items in the order that is drawn. */
  async shuffle(items) {
    const order = [...items];
    for (let place = order.length - 1; place > 0; place -= 1) {
      const other = await this.roll(place + 1);
      [order[place], order[other]] = [order[other], order[place]];
    }
    return order;
  }
}
