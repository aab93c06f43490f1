import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import { writeChunks } from './write-chunks.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One answer made of the chunks, as a client gets it, and what their source got back. */
async function answer(source: () => AsyncGenerator<Uint8Array>) {
  const released: Uint8Array[] = [];
  const server = createServer(async (_request, response: ServerResponse) => {
    const chunks = source();
    const first = await chunks.next();
    const target = { release: (chunk: Uint8Array) => void released.push(chunk) };
    await writeChunks(response as unknown as Response, target, first, chunks).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const got = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
    return { headers: got.headers, text: await got.text(), released };
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

test('an answer that is whole at once leaves in one piece, with its length', async () => {
  const { headers, text, released } = await answer(async function* () {
    yield bytes('one ');
    yield bytes('two ');
    yield bytes('three');
  });
  expect(text).toBe('one two three');
  expect(headers.get('content-length')).toBe('13');
  expect(headers.get('transfer-encoding')).toBeNull();
  expect(released).toHaveLength(3);
});

test('what is there is sent while more is awaited', async () => {
  let isRead: () => void = () => undefined;
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  const server = createServer(async (_request, response) => {
    const chunks = (async function* () {
      yield bytes('early ');
      await read;
      yield bytes('late');
    })();
    await writeChunks(response as unknown as Response, {}, await chunks.next(), chunks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const got = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
  const texts: string[] = [];
  for await (const part of got.body as unknown as AsyncIterable<Uint8Array>) {
    texts.push(new TextDecoder().decode(part));
    isRead();
  }
  expect(texts.join('')).toBe('early late');
  expect(texts[0]).toBe('early ');
  await new Promise((resolve) => server.close(resolve));
});

test('large answers come in pieces, whole and in order', async () => {
  const { headers, text, released } = await answer(async function* () {
    for (let i = 0; i < 40; i++) {
      yield bytes(String.fromCharCode(65 + (i % 26)).repeat(5000));
      if (i % 7 === 0) await setImmediate();
    }
  });
  const expected = Array.from({ length: 40 }, (_none, i) =>
    String.fromCharCode(65 + (i % 26)).repeat(5000),
  ).join('');
  expect(text === expected).toBe(true);
  expect(headers.get('content-length')).toBeNull();
  expect(released).toHaveLength(40);
});

test('a source that fails after the first chunk breaks the answer visibly', async () => {
  const broken = answer(async function* () {
    yield bytes('one');
    throw new Error('gone');
  });
  await expect(broken).rejects.toThrow();
});
