import { AppError } from '#shared/api/problem.ts';
import { assertColumnName, hiddenKeyColumn } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { arrow, type Field } from '../../arrow/arrow.ts';
import { writtenField } from '../../arrow/json-to-cell.ts';
import { isBlobField } from './column-type-arrow.ts';
import type { WriteTarget } from './write-target.ts';

/** A column as an edit sees it after the operations so far. */
export interface EditColumn {
  name: string;
  /** As Lance takes it, under the present name. */
  field: Field;
  /** Its name at the head; null for columns that the edit adds. */
  storedName: string | null;
  /** Gives the values of the rows of the head, for added columns; null: nulls. */
  valueSql: string | null;
  isKey: boolean;
  isBlob: boolean;
}

/** The columns of a table through the operations of an edit. */
export class EditColumns {
  #target: WriteTarget;
  #columns: EditColumn[];
  #dropped: string[] = [];

  constructor(target: WriteTarget) {
    this.#target = target;
    this.#columns = target.schema.fields.map((field) => ({
      name: field.name,
      field: writtenField(field),
      storedName: field.name,
      valueSql: null,
      isKey: target.key.includes(field.name),
      isBlob: isBlobField(field),
    }));
  }

  get all(): readonly EditColumn[] {
    return this.#columns;
  }

  /** Those that the head has and that are still there. */
  get stored(): (EditColumn & { storedName: string })[] {
    return this.#columns.filter((column) => column.storedName !== null) as (EditColumn & {
      storedName: string;
    })[];
  }

  get key(): EditColumn[] {
    return this.#target.key.map((name) => this.#columns.find(({ storedName }) => storedName === name)!);
  }

  get added(): EditColumn[] {
    return this.#columns.filter(({ storedName }) => storedName === null);
  }

  get dropped(): readonly string[] {
    return this.#dropped;
  }

  get renames(): { name: string; to: string }[] {
    return this.stored
      .filter(({ name, storedName }) => name !== storedName)
      .map(({ name, storedName }) => ({ name: storedName, to: name }));
  }

  /** Throws BAD_REQUEST for names that the table does not have, with near ones. */
  get(name: string): EditColumn {
    const column = this.#columns.find((each) => each.name === name);
    if (column) return column;
    const known = this.#columns.map((each) => each.name).filter((each) => each !== hiddenKeyColumn);
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `There is no column “${name}”.`,
      hint:
        didYouMean(name, known) ??
        `The columns are ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}.`,
    });
  }

  /** A column whose cells may be set: any but the key. */
  getSettable(name: string): EditColumn {
    const column = this.get(name);
    if (!column.isKey) return column;
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `“${name}” is ${this.key.length > 1 ? 'part of ' : ''}the row key, which says which row a row is; it cannot be set.`,
      hint: 'Insert the row under its new key and delete the old one.',
    });
  }

  add(field: Field, valueSql: string | null): EditColumn {
    this.#assertFree(field.name);
    const column: EditColumn = {
      name: field.name,
      field,
      storedName: null,
      valueSql,
      isKey: false,
      isBlob: isBlobField(field),
    };
    this.#columns.push(column);
    return column;
  }

  drop(name: string): void {
    const column = this.#getMovable(name, 'dropped');
    if (this.#columns.filter((each) => each.name !== hiddenKeyColumn).length === 1)
      throw new AppError({
        code: 'UNSUPPORTED',
        message: `“${name}” is the only column and cannot be dropped.`,
        hint: 'Move the table to the trash instead.',
      });
    this.#columns = this.#columns.filter((each) => each !== column);
    if (column.storedName !== null) this.#dropped.push(column.storedName);
  }

  rename(name: string, to: string): void {
    const column = this.#getMovable(name, 'renamed');
    if (name === to) return;
    this.#assertFree(to, column);
    column.name = to;
    column.field = new arrow.Field(to, column.field.type, column.field.nullable, column.field.metadata);
  }

  #getMovable(name: string, done: string): EditColumn {
    const column = this.get(name);
    if (!column.isKey) return column;
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `“${name}” is ${this.key.length > 1 ? 'part of ' : ''}the row key and cannot be ${done}.`,
      hint: 'Declare another key first.',
    });
  }

  /** Names that columns had at the head stay taken until the edit is done: Lance changes them one after the other. */
  #assertFree(name: string, column?: EditColumn): void {
    const others = this.#columns.filter((each) => each !== column);
    const stored = others.flatMap(({ storedName }) => (storedName === null ? [] : [storedName]));
    assertColumnName(name, [...others.map((each) => each.name), ...stored, ...this.#dropped]);
  }
}
