import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml';

export type FilePath = readonly PropertyKey[];

/** Finds the position of a value in a file by its path in the parsed data. */
export class FilePositions {
  constructor(
    private readonly fileName: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  /** `file:line:column` of a value; of its parent if the value is missing. */
  of(path: FilePath): string {
    return this.at(this.find(path));
  }

  /** The position of a key, for unknown keys. */
  ofKey(path: FilePath, key: string): string {
    const holder = this.resolve(this.find(path));
    const pair = isMap(holder)
      ? holder.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      : null;
    return this.at(pair && isNode(pair.key) ? pair.key : holder);
  }

  private at(node: Node | null): string {
    const { line, col } = this.lines.linePos(node?.range?.[0] ?? 0);
    return `${this.fileName}:${line}:${col}`;
  }

  private find(path: FilePath): Node | null {
    let node: Node | null = this.document.contents as Node | null;
    for (const step of path) {
      const holder = this.resolve(node);
      const next: unknown = isMap(holder) || isSeq(holder) ? holder.get(step, true) : undefined;
      if (!isNode(next)) return holder;
      node = next;
    }
    return node;
  }

  private resolve(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.document) ?? null) : node;
  }
}

/** `organizations[0].apiKeys[1].scopes` */
export function showPath(path: FilePath): string {
  return path.reduce<string>(
    (shown, step) => (typeof step === 'number' ? `${shown}[${step}]` : `${shown}${shown && '.'}${String(step)}`),
    '',
  );
}
