import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const bufferWords = 64 * 1024;

/** Rows of words that are put aside in a file until their part of the order is sorted. */
export class SpoolFile {
  #path: string;
  #file: FileHandle | null = null;
  #buffer: Uint32Array;
  #used = 0;
  /** Rows that were put aside. */
  rows = 0;
  readonly rowWords: number;

  constructor(path: string, rowWords: number) {
    this.#path = path;
    this.rowWords = rowWords;
    this.#buffer = new Uint32Array(Math.floor(bufferWords / rowWords) * rowWords);
  }

  /** Where the words of the next row go; `flush` first when there is no room. */
  get room(): number {
    return this.#buffer.length - this.#used;
  }

  put(word: number): void {
    this.#buffer[this.#used++] = word;
  }

  async flush(): Promise<void> {
    if (this.#used === 0) return;
    this.#file ??= await open(this.#path, 'w+');
    const bytes = Buffer.from(this.#buffer.buffer, 0, this.#used * 4);
    await this.#file.write(bytes);
    this.#used = 0;
  }

  /** The rows as columns of words, in the order they came. */
  async read(): Promise<Uint32Array[]> {
    await this.flush();
    const columns = Array.from({ length: this.rowWords }, () => new Uint32Array(this.rows));
    const pieceRows = Math.floor((4 * bufferWords) / this.rowWords);
    for (let first = 0; this.#file && first < this.rows; first += pieceRows) {
      const rows = Math.min(pieceRows, this.rows - first);
      const words = new Uint32Array(rows * this.rowWords);
      const bytes = Buffer.from(words.buffer);
      await this.#file.read(bytes, 0, bytes.length, first * this.rowWords * 4);
      for (let w = 0; w < this.rowWords; w++) {
        const column = columns[w]!;
        for (let row = 0, at = w; row < rows; row++, at += this.rowWords) column[first + row] = words[at]!;
      }
    }
    return columns;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    await rm(this.#path, { force: true });
  }
}

/** Files of a sort in a folder that is emptied first and gone afterwards. */
export async function withSpool<T>(
  folder: string,
  work: (open: (rowWords: number) => SpoolFile) => Promise<T>,
): Promise<T> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files: SpoolFile[] = [];
  try {
    return await work((rowWords) => {
      const file = new SpoolFile(join(folder, `${files.length}.words`), rowWords);
      files.push(file);
      return file;
    });
  } finally {
    await Promise.all(files.map((file) => file.close().catch(() => undefined)));
    await rm(folder, { recursive: true, force: true });
  }
}
