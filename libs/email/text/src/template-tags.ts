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

/** These read other templates, by the name of a file. */
const FILE_TAGS = ['include', 'render', 'layout', 'block'];

type Rendering = Generator<unknown, void, unknown>;

/**
 * Leaves the tags of a template without files. Where a tag wants a single value, a list would be made text of or compared
 * as a whole, which takes as long as it is and passes by everything that is charged for.
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
  throw new Error(`${what} is a single value, not a list`);
}
