import type { KeyRing } from './key-ring';

/** A text column whose values are sealed for their row. The table has a column `id`. */
export class SealedColumn {
  constructor(
    /** With its schema. */
    readonly table: string,
    readonly column: string,
  ) {}

  seal(keys: KeyRing, rowId: string, plain: string): string {
    return keys.seal(plain, this.contextOf(rowId));
  }

  /** Throws for a value that was changed, copied from another row or column, or sealed with an unknown key. */
  open(keys: KeyRing, rowId: string, sealed: string): string {
    return keys.open(sealed, this.contextOf(rowId));
  }

  private contextOf(rowId: string): string {
    return `${this.table}.${this.column} ${rowId}`;
  }
}
