import { connect } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import { arrow, type Data, type Field } from '../../arrow/arrow.ts';
import { type EditColumn, EditColumns } from './plan-edit-columns.ts';
import { RowImages } from './plan-edit-images.ts';
import { type Reading, readRowsById, scanRows } from './write-read.ts';
import { anchorOf, readCells } from './write-read-cells.ts';
import type { WriteTarget } from './write-target.ts';

const positionColumn = '_curio_position';

/** An edit that is being planned: the columns and the touched rows after the operations so far. */
export class EditDraft {
  readonly target: WriteTarget;
  readonly signal: AbortSignal;
  readonly columns: EditColumns;
  readonly images: RowImages;
  /** Inserted rows and their keys, by the text of the key. */
  readonly insertedKeys = new Map<string, number>();
  /** The next hidden key that is free; known once one was given out. */
  nextKey: bigint | null = null;

  constructor(target: WriteTarget, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
    this.columns = new EditColumns(target);
    this.images = new RowImages((columns, ids) => this.#readHead(columns, ids));
  }

  /** Expressions over rows of the head by their ids, in their order. */
  async evaluateAtHead(expressions: Reading, ids: Float64Array): Promise<Map<string, Data>> {
    const { columns } = await readRowsById(
      this.target.handle,
      ids,
      { ...anchorOf(this.target.schema), ...expressions },
      this.signal,
    );
    return columns;
  }

  /** What expressions over the head give. */
  async typesOf(expressions: Reading): Promise<Map<string, Field>> {
    const reading = { ...anchorOf(this.target.schema), ...expressions };
    const { fields } = await this.target.handle.query().select(reading).outputSchema();
    return new Map(fields.map((field) => [field.name, field]));
  }

  /** Computes an expression for every row of the head once: what fails is to fail before anything is written. */
  async assertComputable(expression: string): Promise<void> {
    const reading = { ...anchorOf(this.target.schema), value: expression };
    for await (const _batch of this.target.handle.query().select(reading)) this.signal.throwIfAborted();
  }

  /** Expressions over touched rows as they are now, in the order of the positions; `where` leaves rows out. */
  async evaluateOnImages(
    { expressions, where }: { expressions: Reading; where?: string },
    positions: Int32Array,
  ): Promise<{ positions: Int32Array; columns: Map<string, Data> }> {
    assertNoRowIds([...Object.values(expressions), where ?? '']);
    if (positions.length === 0) return { positions, columns: new Map() };
    const connection = await connect('memory://');
    try {
      const handle = await connection.createTable('images', await this.#imageTable(positions));
      const reading = { [positionColumn]: positionColumn, ...expressions };
      const found = await scanRows(handle, reading, { where, signal: this.signal });
      const at = found.columns.get(positionColumn)!.values as Int32Array;
      found.columns.delete(positionColumn);
      return { positions: Int32Array.from(at), columns: found.columns };
    } finally {
      connection.close();
    }
  }

  /** Touched rows under the names that columns have at the head; of blobs only whether there is one. */
  async #imageTable(positions: Int32Array) {
    const columns = this.columns.stored;
    const values = await this.images.valuesOf(
      columns.filter(({ isBlob }) => !isBlob),
      positions,
    );
    const blobs = await Promise.all(
      columns
        .filter(({ isBlob }) => isBlob)
        .map(async (column) => [column, await this.#blobPresence(column, positions)] as const),
    );
    const all = new Map([...values, ...blobs]);
    const fields = columns.map(({ storedName, field, isBlob }) =>
      isBlob
        ? new arrow.Field(storedName, new arrow.Bool(), true)
        : new arrow.Field(storedName, field.type, true, field.metadata),
    );
    const positionData = arrow.makeData({
      type: new arrow.Int32(),
      length: positions.length,
      nullCount: 0,
      data: positions,
    });
    const schema = new arrow.Schema([...fields, new arrow.Field(positionColumn, new arrow.Int32(), false)]);
    const children = [...columns.map((column) => all.get(column)!), positionData];
    const data = arrow.makeData({
      type: new arrow.Struct(schema.fields),
      length: positions.length,
      nullCount: 0,
      children,
    });
    return new arrow.Table(schema, [new arrow.RecordBatch(schema, data as never)]);
  }

  async #blobPresence(
    column: EditColumn & { storedName?: string | null },
    positions: Int32Array,
  ): Promise<Data> {
    const ofHead = positions.filter(
      (position) => !this.images.isInserted(position) && !this.images.isSet(column, position),
    );
    const name = quoteLanceIdent(column.storedName ?? column.name);
    const read = await this.evaluateAtHead(
      { has: `${name} is not null` },
      Float64Array.from(ofHead, (position) => this.images.idAt(position)),
    );
    const present = new Map<number, boolean>();
    for (const [index, position] of ofHead.entries()) present.set(position, dataBit(read.get('has')!, index));
    const isSet = positions.filter((position) => this.images.isSet(column, position));
    const set = await this.images.values(column, isSet);
    for (const [index, position] of isSet.entries()) present.set(position, set.getValid(index));
    return arrow.vectorFromArray(
      Array.from(positions, (position) => (present.get(position) ? true : null)),
      new arrow.Bool(),
    ).data[0]!;
  }

  async #readHead(columns: readonly EditColumn[], ids: Float64Array): Promise<Map<EditColumn, Data>> {
    const cells = await readCells(this.target, columns, ids, this.signal);
    return new Map(columns.map((column, index) => [column, cells[index]!]));
  }
}

const dataBit = (data: Data, index: number): boolean =>
  (((data.values as Uint8Array)[(data.offset + index) >> 3]! >> ((data.offset + index) & 7)) & 1) === 1;

function assertNoRowIds(expressions: string[]): void {
  if (
    !expressions.some((text) =>
      /`_row(id|addr|offset|_created_at_version|_last_updated_at_version)`/.test(text),
    )
  )
    return;
  throw new AppError({
    code: 'UNSUPPORTED',
    message:
      'A filter or expression over row ids or row versions cannot follow other changes of the same edit.',
    hint: 'Name the rows by ids or keys, or make two edits.',
  });
}
