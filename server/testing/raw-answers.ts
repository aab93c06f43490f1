import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A connection on which requests can be written as they are, several at once, and left half-way. */
export class RawConnection {
  readonly socket: Socket;
  #parts: Buffer[] = [];
  #size = 0;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data) => {
      this.#parts.push(data);
      this.#size += data.length;
      this.#wake();
    });
    socket.on('close', () => this.#wake());
    socket.on('error', () => undefined);
  }

  static open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  send(method: string, path: string, headers: Record<string, string> = {}): void {
    const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  /** The next answer of the connection, whole. */
  async receive(method = 'GET'): Promise<RawAnswer> {
    const end = await this.#until(() => this.#received().indexOf('\r\n\r\n') + 1);
    const [first = '', ...lines] = this.#received()
      .toString('latin1', 0, end - 1)
      .split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 2)];
      }),
    );
    const status = Number(first.split(' ')[1]);
    const length = method === 'HEAD' || status === 304 ? 0 : Number(headers['content-length']);
    const from = end + 3;
    await this.#until(() => this.#size >= from + length);
    const received = this.#received();
    this.#parts = [received.subarray(from + length)];
    this.#size -= from + length;
    return { status, headers, body: received.subarray(from, from + length) };
  }

  /** Resolves when at least so many bytes have come. */
  async begin(bytes = 1): Promise<void> {
    await this.#until(() => this.#size >= bytes);
  }

  #received(): Buffer {
    const [first] = this.#parts;
    const received = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    this.#parts = [received];
    return received;
  }

  async #until<T>(test: () => T): Promise<T> {
    for (let found = test(); ; found = test()) {
      if (found) return found;
      if (this.socket.destroyed) throw new Error('The connection was closed before the answer was whole.');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
