import readExif, { type Exif } from 'exif-reader';
import type { Metadata } from 'sharp';
import type { PictureFacts } from '../../ports/media-maker.ts';
import { type OpenedPicture, openPicture } from './open-picture.ts';
import { describePictureFailure, maxPixels } from './picture-thumb.ts';

type Fact = PictureFacts['facts'][number];

/** Reads header and EXIF of a picture; EXIF that is broken counts as none. */
export async function readPicture(input: Uint8Array | string): Promise<PictureFacts> {
  let opened: OpenedPicture;
  try {
    opened = await openPicture(input, { maxPixels, failOn: 'none', wantedPx: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw describePictureFailure(error);
  }
  const { metadata, contentType, facts } = opened;
  const exif = parseExif(metadata.exif);
  const { width, height } = metadata.autoOrient;
  return {
    width,
    height,
    facts: [
      ...(facts ?? pixelFacts(metadata)),
      ...animationFacts(metadata, contentType === 'image/png' ? input : null),
      ...cameraFacts(exif),
      ...placeFacts(exif),
    ],
    takenAt: dateOf(exif?.Photo?.DateTimeOriginal ?? exif?.Image?.DateTime),
  };
}

/** Frames and their time; of PNG by its chunk `acTL`, as sharp knows only the first. */
function animationFacts({ pages = 1, delay }: Metadata, png: Uint8Array | string | null): Fact[] {
  const seconds = (delay ?? []).reduce((sum, ms) => sum + ms, 0) / 1000;
  const head = png === null || typeof png === 'string' ? null : Buffer.from(png.subarray(0, 64 * 1024));
  const control = head?.subarray(0, head.indexOf('IDAT')).indexOf('acTL') ?? -1;
  const frames = head && control > 0 ? head.readUInt32BE(control + 4) : delay ? pages : 1;
  if (frames < 2) return [];
  return [
    {
      name: 'animation',
      value: `${frames} frames${seconds > 0 ? ` in ${rounded(seconds)} s` : ''}; small pictures show the first`,
    },
  ];
}

function parseExif(bytes: Buffer | undefined): Exif | null {
  if (!bytes) return null;
  try {
    return readExif(bytes);
  } catch {
    return null;
  }
}

const dateOf = (value: unknown): string | null =>
  value instanceof Date && Number.isFinite(value.getTime())
    ? value.toISOString().replace('T', ' ').slice(0, 19)
    : null;

const depths: Record<string, string> = { uchar: '8 bit', ushort: '16 bit', float: '32 bit float' };

const turns: Record<number, string> = {
  2: 'mirrored',
  3: 'turned by 180°',
  4: 'mirrored upside down',
  5: 'mirrored and turned by 90° to the left',
  6: 'turned by 90° to the right',
  7: 'mirrored and turned by 90° to the right',
  8: 'turned by 90° to the left',
};

function pixelFacts(metadata: Metadata): Fact[] {
  const { format, space, channels, depth, hasAlpha, pages, delay, density, orientation, icc, isProgressive } =
    metadata;
  return present([
    ['format', [format, isProgressive ? 'progressive' : null].filter(Boolean).join(', ')],
    ['colours', [space, `${channels} channels`, depths[depth ?? ''] ?? depth].filter(Boolean).join(', ')],
    ['transparency', hasAlpha ? 'has an alpha channel' : null],
    ['colour profile', icc ? profileName(icc) : null],
    ['pages', pages && pages > 1 && !delay ? `${pages}; the first is shown` : null],
    ['density', density ? `${density} dpi` : null],
    [
      'orientation',
      orientation && orientation > 1 ? `${orientation}: shown ${turns[orientation] ?? 'as it is'}` : null,
    ],
  ]);
}

/** The name of an ICC profile, from its `desc` entry. */
function profileName(icc: Buffer): string {
  const at = icc.indexOf('desc', 132);
  const start = at > 0 && at + 12 <= icc.length ? icc.readUInt32BE(at + 4) : 0;
  const size = at > 0 && at + 12 <= icc.length ? icc.readUInt32BE(at + 8) : 0;
  const entry = icc.subarray(start, Math.min(start + size, start + 400));
  const text =
    entry.toString('latin1', 0, 4) === 'desc'
      ? entry.toString('latin1', 12)
      : Buffer.from(entry.subarray(28)).toString('latin1').replaceAll('\0', '');
  const name = text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 80);
  return name === '' ? 'unnamed' : name;
}

const text = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const shown = (Buffer.isBuffer(value) ? value.toString('utf8') : String(value))
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return shown === '' ? null : shown.slice(0, 500);
};

const rounded = (value: unknown, digits = 3): string | null =>
  typeof value === 'number' && Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : null;

function exposure(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !(seconds > 0)) return null;
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : `${rounded(seconds)} s`;
}

function cameraFacts(exif: Exif | null): Fact[] {
  const { Image: image, Photo: photo } = exif ?? {};
  const make = text(image?.Make);
  const model = text(image?.Model);
  const fNumber = rounded(photo?.FNumber, 2);
  const focal = rounded(photo?.FocalLength);
  const equivalent = rounded(photo?.FocalLengthIn35mmFilm);
  return present([
    ['camera', make && model && !model.startsWith(make) ? `${make} ${model}` : (model ?? make)],
    ['lens', text(photo?.LensModel)],
    ['taken', dateOf(photo?.DateTimeOriginal)],
    ['exposure', exposure(photo?.ExposureTime)],
    ['aperture', fNumber && `f/${fNumber}`],
    ['ISO', rounded([photo?.ISOSpeedRatings].flat()[0], 7)],
    ['focal length', focal && `${focal} mm${equivalent ? ` (${equivalent} mm in 35 mm)` : ''}`],
    ['software', text(image?.Software)],
    ['author', text(image?.Artist)],
    ['copyright', text(image?.Copyright)],
    ['description', text(image?.ImageDescription)],
  ]);
}

function degrees(value: unknown, ref: unknown, negative: string): number | null {
  const parts = Array.isArray(value) ? value.map(Number) : [];
  if (parts.length !== 3 || !parts.every(Number.isFinite)) return null;
  const [whole = 0, minutes = 0, seconds = 0] = parts;
  const size = whole + minutes / 60 + seconds / 3600;
  return String(ref).trim().toUpperCase().startsWith(negative) ? -size : size;
}

function placeFacts(exif: Exif | null): Fact[] {
  const gps = exif?.GPSInfo;
  const latitude = degrees(gps?.GPSLatitude, gps?.GPSLatitudeRef, 'S');
  const longitude = degrees(gps?.GPSLongitude, gps?.GPSLongitudeRef, 'W');
  if (latitude === null || longitude === null) return [];
  const altitude = rounded(gps?.GPSAltitude);
  return present([
    ['place', `${latitude.toFixed(5)}, ${longitude.toFixed(5)}${altitude ? `, ${altitude} m` : ''}`],
  ]);
}

const present = (facts: [name: string, value: string | null | undefined][]): Fact[] =>
  facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
