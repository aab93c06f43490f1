import type { ImportColumn } from '#shared/api/jobs.ts';
import type { ColumnRole } from '#shared/domain/columns.ts';

/** A table of the first start, made by the importer like any other. */
export interface DemoTable {
  name: string;
  /** Files and folders, relative to the package. A table whose files are not there is left out. */
  paths: string[];
  key?: string;
  description: string;
  columns: ImportColumn[];
}

const column = (from: string, role: ColumnRole, description: string, name?: string): ImportColumn => ({
  from,
  role,
  description,
  ...(name === undefined ? {} : { name }),
});
const drop = (from: string): ImportColumn => ({ from, drop: true });

const wonders: DemoTable = {
  name: 'wonders',
  paths: ['demo/wonders'],
  key: 'id',
  description:
    '218 photographs of monuments, animals, tools and instruments, each public domain or CC0; author, licence and source are in every row. ' +
    'The glosses are from WordNet 3.1 (Princeton University), chosen by name alone: “pliers” became “someone who plies a trade”. Find such errors, and mend them on a branch.',
  columns: [
    column('media', 'image', 'The photograph, as WebP; the longer side has 640 pixels.', 'image'),
    column('id', 'key', 'A short name, unique in the table.'),
    column('title', 'text', 'The title that its author gave it.'),
    column('concept', 'label', 'What it shows.'),
    column(
      'category',
      'label',
      'The kind of thing: monuments, tools, animals, renewable, fishes, objects or music.',
    ),
    column(
      'gloss',
      'text',
      'What WordNet says of the concept. Chosen by name, so some are about another thing.',
    ),
    column('taken', 'time', 'When it was taken, by the camera’s clock; from EXIF, which most pictures lack.'),
    column('camera', 'label', 'Maker and model of the camera, from EXIF.'),
    column('iso', 'number', 'Sensitivity of the sensor, from EXIF.'),
    column('f_number', 'number', 'Aperture as an f-number, from EXIF.'),
    column('original_width', 'number', 'Pixels of the original, before it was made smaller.'),
    column('original_height', 'number', 'Pixels of the original, before it was made smaller.'),
    column('dominant_color', 'label', 'The most frequent colour, as #rrggbb.'),
    column('entropy', 'number', 'Entropy of the grey values in bits; flat pictures are low.'),
    column('sharpness', 'number', 'Strength of the edges; blurred pictures are low.'),
    column('author', 'label', 'Who took it.'),
    column('license', 'label', 'Under what it may be used.'),
    column('source_url', 'url', 'Where the original is.'),
    column('image_vector', 'vector', 'How it looks to a MobileNet V2 trained on Open Images: 1,280 numbers.'),
    column('text_vector', 'vector', 'What its words mean to the Universal Sentence Encoder: 512 numbers.'),
    drop('path'),
    drop('kind'),
    drop('size_bytes'),
    drop('content_type'),
  ],
};

const clips: DemoTable = {
  name: 'clips',
  paths: ['demo/clips'],
  key: 'id',
  description:
    'Five pieces of music and three short videos, with their licences; some belong to a photograph of the table wonders. Credits: demo/CREDITS.md.',
  columns: [
    column('media', 'blob', 'The sound or video.'),
    column('id', 'key', 'A short name, unique in the table.'),
    column('title', 'text', 'What it is, and by whom.'),
    column('kind', 'label', 'Sound or video, by its bytes.'),
    column('wonder', 'label', 'The row of the table wonders that it belongs to.'),
    column('license', 'label', 'Under what it may be used.'),
    column('content_type', 'label', 'Its media type, by its bytes.'),
    column('size_bytes', 'number', 'Its size in bytes.'),
    drop('path'),
  ],
};

const openmoji: DemoTable = {
  name: 'openmoji',
  paths: ['demo/openmoji.parquet'],
  key: 'id',
  description:
    '2,328 pictograms of OpenMoji 17.0.0 (https://openmoji.org), CC BY-SA 4.0, rasterised to 72 pixels. Whoever passes the table on keeps this line.',
  columns: [
    column(
      'image',
      'image',
      'The pictogram as PNG, in a struct of bytes and path as Hugging Face writes pictures.',
    ),
    column('id', 'key', 'The code points, in hexadecimal.'),
    column('emoji', 'text', 'The character itself.'),
    column('name', 'text', 'Its name in Unicode, or in OpenMoji.'),
    column('group', 'label', 'The group in Unicode.'),
    column('subgroup', 'label', 'The part of the group.'),
    column('tags', 'label', 'Words to find it by.'),
    column('author', 'label', 'Who drew it.'),
    column('date', 'time', 'When it was drawn.'),
    column('unicode', 'label', 'The version of Emoji that it came with.'),
    column('order', 'number', 'Its place in Unicode’s order; extras have none.'),
  ],
};

const flights: DemoTable = {
  name: 'flights',
  paths: ['node_modules/vega-datasets/data/flights-3m.parquet'],
  description:
    '3,000,000 flights within the United States, for scale. Data: Bureau of Transportation Statistics, by way of the package vega-datasets.',
  columns: [
    column('date', 'time', 'When it was to leave, local time.'),
    column('delay', 'number', 'Minutes late at arrival; negative is early.'),
    column('distance', 'number', 'Miles between the airports.'),
    column('origin', 'label', 'Airport of departure (IATA code).'),
    column('destination', 'label', 'Airport of arrival (IATA code).'),
  ],
};

/** In the order in which they are made: what a newcomer sees first comes first. */
export const demoTables: readonly DemoTable[] = [wonders, clips, openmoji, flights];
