/** Powers of frequencies over time in decibels: `columns` × `rows`, the lowest frequency last in each column. */
export interface Spectrogram {
  columns: number;
  rows: number;
  /** Column by column, from −`rangeDb` (quiet) to 0 (the loudest), as 0 to 255. */
  values: Uint8Array;
  maxHz: number;
}

const rangeDb = 80;

/** The powers of the frequencies of a real signal, in place: a fast Fourier transform of a power of two samples. */
export function fft(real: Float32Array, imaginary: Float32Array): void {
  const size = real.length;
  for (let at = 1, turned = 0; at < size; at++) {
    let bit = size >> 1;
    for (; turned & bit; bit >>= 1) turned ^= bit;
    turned ^= bit;
    if (at < turned) {
      [real[at], real[turned]] = [real[turned]!, real[at]!];
      [imaginary[at], imaginary[turned]] = [imaginary[turned]!, imaginary[at]!];
    }
  }
  for (let length = 2; length <= size; length <<= 1) {
    const angle = (-2 * Math.PI) / length;
    for (let start = 0; start < size; start += length)
      for (let at = 0; at < length / 2; at++) {
        const [cos, sin] = [Math.cos(angle * at), Math.sin(angle * at)];
        const [low, high] = [start + at, start + at + length / 2];
        const re = real[high]! * cos - imaginary[high]! * sin;
        const im = real[high]! * sin + imaginary[high]! * cos;
        real[high] = real[low]! - re;
        imaginary[high] = imaginary[low]! - im;
        real[low]! += re;
        imaginary[low]! += im;
      }
  }
}

/** The spectrogram of a sound in so many columns, with Hann windows of 1024 samples. */
export function buildSpectrogram(samples: Float32Array, sampleRate: number, columns: number): Spectrogram {
  const size = 1024;
  const rows = size / 2;
  const window = Float32Array.from(
    { length: size },
    (_none, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size),
  );
  const powers = new Float32Array(columns * rows);
  let loudest = 1e-12;
  for (let column = 0; column < columns; column++) {
    const start = Math.floor(((samples.length - size) * column) / Math.max(1, columns - 1));
    const real = new Float32Array(size);
    const imaginary = new Float32Array(size);
    for (let at = 0; at < size; at++) real[at] = (samples[start + at] ?? 0) * window[at]!;
    fft(real, imaginary);
    for (let row = 0; row < rows; row++) {
      const power = real[row]! ** 2 + imaginary[row]! ** 2;
      powers[column * rows + (rows - 1 - row)] = power;
      loudest = Math.max(loudest, power);
    }
  }
  const values = Uint8Array.from(powers, (power) => {
    const db = 10 * Math.log10(Math.max(power, 1e-20) / loudest);
    return Math.max(0, Math.min(255, Math.round((1 + db / rangeDb) * 255)));
  });
  return { columns, rows, values, maxHz: sampleRate / 2 };
}

/** The least and most sample of each of so many stretches. */
export function peaksOf(samples: Float32Array, columns: number): { low: Float32Array; high: Float32Array } {
  const low = new Float32Array(columns);
  const high = new Float32Array(columns);
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((samples.length * column) / columns);
    const to = Math.max(from + 1, Math.floor((samples.length * (column + 1)) / columns));
    for (let at = from; at < to && at < samples.length; at++) {
      low[column] = Math.min(low[column]!, samples[at]!);
      high[column] = Math.max(high[column]!, samples[at]!);
    }
  }
  return { low, high };
}
