import { openSync, readSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

/** The least that can answer: `start length` in, the bytes of a file out, read with one call. */
const fd = openSync(process.argv[2] as string, 'r');
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    const [start = 0, length = 0] = data.toString('latin1').split(' ').map(Number);
    const bytes = Buffer.allocUnsafe(length);
    readSync(fd, bytes, 0, length, start);
    socket.write(bytes);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('SIGTERM', () => process.exit(0));
