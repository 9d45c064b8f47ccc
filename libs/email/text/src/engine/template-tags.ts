import {
  CaseTag,
  CycleTag,
  evalTokenValue,
  ForTag,
  TablerowTag,
  toValue,
  TypeGuards,
  type Context,
  type Emitter,
  type Liquid,
  type Token,
} from 'liquidjs';

/** Tags that read other templates from files. */
const FILE_TAGS = ['include', 'render', 'layout', 'block'];

type Rendering = Generator<unknown, void, unknown>;

/**
 * Removes the tags that read files. Where a tag expects a single value, a list is rejected: converting or comparing it
 * takes time that is not charged to the budget.
 */
export function limitTags(liquid: Liquid): void {
  for (const tag of FILE_TAGS) delete liquid.tags[tag];
  liquid.registerTag('case', SingleValueCase);
  liquid.registerTag('cycle', SingleGroupCycle);
  liquid.registerTag('for', SingleBoundFor);
  liquid.registerTag('tablerow', SingleBoundTablerow);
}

class SingleValueCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Rendering {
    refuseList('case', toValue(yield this.value.value(context)));
    yield* super.render(context, emitter);
  }
}

class SingleGroupCycle extends CycleTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
    const group = [...this.arguments()].filter((token) => !TypeGuards.isFilteredValueToken(token)) as Token[];
    yield* refuseLists('the group of cycle', group, context);
    return yield* super.render(context, emitter);
  }
}

class SingleBoundFor extends ForTag {
  override *render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    yield* refuseLists('a bound of for', Object.values(this.hash.hash), context);
    return yield* super.render(context, emitter);
  }
}

class SingleBoundTablerow extends TablerowTag {
  override *render(context: Context, emitter: Emitter): Rendering {
    yield* refuseLists('a bound of tablerow', Object.values(this.args.hash), context);
    yield* super.render(context, emitter);
  }
}

function* refuseLists(what: string, tokens: (Token | undefined)[], context: Context): Rendering {
  for (const token of tokens) refuseList(what, yield evalTokenValue(token, context));
}

function refuseList(what: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  throw new Error(`${what} must be a single value, not a list`);
}
