import type { BlobCell } from './columns.ts';

const endings: readonly [BlobCell['kind'], RegExp][] = [
  ['image', /\.(png|jpe?g|gif|webp|avif|bmp|tiff?|svg)$/i],
  ['video', /\.(mp4|m4v|mov|webm|mkv|avi|ogv|mpe?g)$/i],
  ['audio', /\.(mp3|wav|flac|ogg|oga|opus|m4a|aac|aiff?|wma)$/i],
  ['model', /\.(ply|glb|gltf|stl|obj)$/i],
  ['text', /\.(txt|md|json|jsonl|csv|tsv|xml|html?|srt|vtt)$/i],
  ['pdf', /\.pdf$/i],
];

/** What a path or an address names, by its ending; null for endings that say nothing. Bytes say it for sure. */
export const kindOfEnding = (link: string): BlobCell['kind'] | null =>
  endings.find(([, ending]) => ending.test(link.replace(/[?#].*$/s, '')))?.[0] ?? null;
