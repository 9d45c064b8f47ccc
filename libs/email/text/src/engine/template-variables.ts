import { CaseTag, ForTag, IfTag, TypeGuards, UnlessTag, Value, type Arguments, type Template } from 'liquidjs';
import { tokensIn } from './template-tokens';

/** A use of a variable that the template does not define itself. */
export interface VariableUse {
  name: string;
  /** Offset in the source. */
  position: number;
  isOptional: boolean;
}

interface Scope {
  /** Names defined so far by `assign`, `capture`, `increment` and `decrement`. */
  own: Set<string>;
  /** The variables of the enclosing loops. */
  loops: ReadonlySet<string>;
  /** The variables in the enclosing conditions. */
  tested: ReadonlySet<string>;
}

/**
 * Returns the variables of a part in order of appearance. A use is optional if it is a condition (`if`, `elsif`, `unless`,
 * `case`, `when`), is in a block whose condition uses the same variable, or has the filter `default`. A variable is
 * required if one of its uses is not optional.
 */
export function variableUses(templates: readonly Template[]): VariableUse[] {
  const uses: VariableUse[] = [];
  visit(templates, { own: new Set(), loops: new Set(), tested: new Set() }, uses);
  return uses.sort((one, other) => one.position - other.position);
}

function visit(templates: readonly Template[], scope: Scope, uses: VariableUse[]): void {
  for (const template of templates) {
    const isCondition = template instanceof IfTag || template instanceof UnlessTag || template instanceof CaseTag;
    const tested = new Set(scope.tested);
    for (const { name, position, hasDefault } of rootsOf(template.arguments?.() ?? [])) {
      const isContinue = name === 'continue' && template instanceof ForTag;
      if (scope.own.has(name) || scope.loops.has(name) || isContinue) continue;
      uses.push({ name, position, isOptional: isCondition || hasDefault || scope.tested.has(name) });
      if (isCondition) tested.add(name);
    }
    for (const identifier of template.localScope?.() ?? []) scope.own.add(identifier.content);
    const loops = new Set([...scope.loops, ...(template.blockScope?.() ?? [])]);
    visit(childrenOf(template), { own: scope.own, loops, tested }, uses);
  }
}

/** Returns the nodes in a block; none for other nodes. */
export function childrenOf(template: Template): Template[] {
  // No remaining tag reads a file, so rendering is synchronous.
  return (template.children?.(false, true).next().value as Template[] | undefined) ?? [];
}

interface Root {
  name: string;
  position: number;
  hasDefault: boolean;
}

function* rootsOf(args: Arguments): Generator<Root> {
  for (const arg of args) {
    if (!(arg instanceof Value)) {
      yield* rootsIn([arg], false);
      continue;
    }
    const hasDefault = arg.filters.some((filter) => filter.name === 'default');
    yield* rootsIn(arg.initial.postfix, hasDefault);
    yield* rootsIn(
      arg.filters.map((filter) => filter.args),
      false,
    );
  }
}

function* rootsIn(parsed: readonly unknown[], hasDefault: boolean): Generator<Root> {
  for (const token of tokensIn(parsed)) {
    if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) continue;
    const root = token.props[0];
    if (TypeGuards.isWordToken(root) || TypeGuards.isQuotedToken(root)) {
      yield { name: root.content, position: token.begin, hasDefault };
    }
  }
}
