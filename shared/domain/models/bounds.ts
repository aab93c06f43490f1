import type { Bounds, ModelFact, Vector3 } from './model.ts';

/** Grows with every place; places that are not finite do not count. */
export class BoundsMeter {
  readonly #min: Vector3 = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  readonly #max: Vector3 = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

  add(x: number, y: number, z: number): void {
    const min = this.#min;
    const max = this.#max;
    if (x < min[0]) min[0] = x;
    if (y < min[1]) min[1] = y;
    if (z < min[2]) min[2] = z;
    if (x > max[0]) max[0] = x;
    if (y > max[1]) max[1] = y;
    if (z > max[2]) max[2] = z;
  }

  get bounds(): Bounds | null {
    return this.#min[0] <= this.#max[0] ? { min: [...this.#min], max: [...this.#max] } : null;
  }
}

const rounded = (value: number, digits = 6): string => {
  const text = Number(value.toPrecision(digits));
  return Math.abs(text) >= 1e9 || (text !== 0 && Math.abs(text) < 1e-4) ? text.toExponential() : String(text);
};

const places = (at: readonly number[]): string =>
  at.map((value) => rounded(value, Math.abs(value) < 1e4 ? 6 : 9)).join(', ');

/** How large a model is and where it lies, in the units of the file. */
export function boundsFacts({ min, max }: Bounds, origin: Vector3): ModelFact[] {
  const size = min.map((from, axis) => rounded(max[axis]! - from));
  const own = (at: Vector3) => at.map((value, axis) => value + origin[axis]!);
  return [
    { name: 'extent', value: size.join(' × ') },
    { name: 'from', value: places(own(min)) },
    { name: 'to', value: places(own(max)) },
  ];
}
