import { damaged } from './decoded-picture.ts';

/** A property of an item, as in `ipco` (ISO/IEC 23008-12). */
export interface HeifProperty {
  type: string;
  body: Buffer;
}

export interface HeifItem {
  id: number;
  type: string;
  properties: HeifProperty[];
  /** Items that it is made of (`dimg`), in order. */
  parts: number[];
  extents: { construction: number; offset: number; length: number }[];
}

export interface HeifFile {
  primary: number;
  items: Map<number, HeifItem>;
  /** The bytes of an item. */
  read(item: HeifItem): Buffer;
}

interface Box {
  type: string;
  body: Buffer;
}

const maxItems = 20_000;
const maxExtents = 64;

function* boxesOf(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isLong = short === 1 && at + 16 <= bytes.length;
    const head = isLong ? 16 : 8;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    if (size < head) throw damaged('a box of it is shorter than its head');
    yield { type, body: bytes.subarray(at + head, at + size) };
    at += size;
  }
}

/** Numbers of one or several bytes, one after the other. */
class Fields {
  #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(sizeBytes: number): number {
    if (this.at + sizeBytes > this.#bytes.length) throw damaged('its index ends too early');
    let value = 0;
    for (let index = 0; index < sizeBytes; index++)
      value = value * 256 + (this.#bytes[this.at + index] as number);
    this.at += sizeBytes;
    return value;
  }
}

function readLocations(body: Buffer): Map<number, HeifItem['extents']> {
  const fields = new Fields(body);
  const version = fields.next(1);
  fields.next(3);
  const sizes = fields.next(1);
  const more = fields.next(1);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version === 0 ? 0 : more & 15;
  const count = fields.next(version < 2 ? 2 : 4);
  const found = new Map<number, HeifItem['extents']>();
  if (count > maxItems) throw damaged('its index has too many items');
  for (let item = 0; item < count; item++) {
    const id = fields.next(version < 2 ? 2 : 4);
    const construction = version === 0 ? 0 : fields.next(2) & 15;
    fields.next(2);
    const base = fields.next(baseBytes);
    const extents = fields.next(2);
    if (extents > maxExtents) throw damaged('an item of it lies in too many pieces');
    found.set(
      id,
      Array.from({ length: extents }, () => {
        fields.next(indexBytes);
        return { construction, offset: base + fields.next(offsetBytes), length: fields.next(lengthBytes) };
      }),
    );
  }
  return found;
}

function readTypes(body: Buffer): Map<number, string> {
  const found = new Map<number, string>();
  for (const entry of boxesOf(body.subarray(body[0] === 0 ? 6 : 8))) {
    if (entry.type !== 'infe' || (entry.body[0] as number) < 2) continue;
    const fields = new Fields(entry.body, 4);
    const id = fields.next(entry.body[0] === 2 ? 2 : 4);
    fields.next(2);
    found.set(id, entry.body.toString('latin1', fields.at, fields.at + 4));
  }
  return found;
}

function readParts(body: Buffer): Map<number, number[]> {
  const idBytes = body[0] === 0 ? 2 : 4;
  const found = new Map<number, number[]>();
  for (const entry of boxesOf(body.subarray(4))) {
    if (entry.type !== 'dimg') continue;
    const fields = new Fields(entry.body);
    const from = fields.next(idBytes);
    const count = fields.next(2);
    found.set(
      from,
      Array.from({ length: count }, () => fields.next(idBytes)),
    );
  }
  return found;
}

function readProperties(body: Buffer): Map<number, HeifProperty[]> {
  const found = new Map<number, HeifProperty[]>();
  const all: HeifProperty[] = [];
  for (const box of boxesOf(body)) {
    if (box.type === 'ipco') all.push(...boxesOf(box.body));
    if (box.type !== 'ipma') continue;
    const fields = new Fields(box.body);
    const version = fields.next(1);
    const isWide = (fields.next(3) & 1) === 1;
    const count = fields.next(4);
    if (count > maxItems) throw damaged('its index has too many items');
    for (let entry = 0; entry < count; entry++) {
      const id = fields.next(version === 0 ? 2 : 4);
      const links = Array.from(
        { length: fields.next(1) },
        () => fields.next(isWide ? 2 : 1) & (isWide ? 0x7fff : 0x7f),
      );
      found.set(
        id,
        links.flatMap((link) => all[link - 1] ?? []),
      );
    }
  }
  return found;
}

/** The index of a picture in an ISO base media file: its items, what they are made of and where their bytes lie. */
export function readHeif(bytes: Buffer): HeifFile {
  const meta = [...boxesOf(bytes)].find(({ type }) => type === 'meta');
  if (!meta) throw damaged('its index is missing');
  const boxes = new Map([...boxesOf(meta.body.subarray(4))].map(({ type, body }) => [type, body]));
  const [pitm, iinf, iloc, iprp] = ['pitm', 'iinf', 'iloc', 'iprp'].map((type) => boxes.get(type));
  if (!pitm || !iinf || !iloc || !iprp) throw damaged('its index is not whole');
  const primary = new Fields(pitm, 4).next(pitm[0] === 0 ? 2 : 4);
  const locations = readLocations(iloc);
  const properties = readProperties(iprp);
  const iref = boxes.get('iref');
  const parts = iref ? readParts(iref) : new Map<number, number[]>();
  const items = new Map<number, HeifItem>();
  for (const [id, type] of readTypes(iinf))
    items.set(id, {
      id,
      type,
      properties: properties.get(id) ?? [],
      parts: parts.get(id) ?? [],
      extents: locations.get(id) ?? [],
    });
  const idat = boxes.get('idat') ?? Buffer.alloc(0);
  const read = ({ extents }: HeifItem): Buffer =>
    Buffer.concat(
      extents.map(({ construction, offset, length }) => {
        const from = construction === 1 ? idat : bytes;
        const end = length === 0 ? from.length : offset + length;
        if (construction > 1 || end > from.length) throw damaged('its bytes end too early');
        return from.subarray(offset, end);
      }),
    );
  return { primary, items, read };
}
