import escapeHtml from 'escape-html';
import { defaultOperators, Liquid, type Context, type Emitter, type Template } from 'liquidjs';
import { TEMPLATE_FILTERS } from './template-filters';
import { limitTags } from './template-tags';
import { tokensIn } from './template-tokens';
import { chargeSearch, chargeSize, chargeWork, printable, RENDER_TIMEOUT_MS, WORK_UNITS } from './work-budget';

/** Limit of a rendered part and of a `capture`, in UTF-16 code units. */
const MAX_RENDERED_LENGTH = 1024 * 1024;

const NODE_UNITS = 100;
const TOKEN_UNITS = 60;

type BinaryOperator = (left: unknown, right: unknown, context: Context) => unknown;
type Operators = typeof defaultOperators;

/** Shared by all engines, because the library keeps a table for each operators object. */
const OPERATORS: Operators = {
  ...defaultOperators,
  ...Object.fromEntries(['==', '!=', '<', '<=', '>', '>=', 'contains'].map((name) => [name, charged(name)])),
};

/** Collects the output up to a limit. */
export class BoundedEmitter implements Emitter {
  buffer = '';

  constructor(private readonly context: Context) {}

  write(value: unknown): void {
    const text = typeof value === 'string' ? value : printable(this.context, value);
    if (this.buffer.length + text.length > MAX_RENDERED_LENGTH) {
      throw new Error(
        `the output has more than ${MAX_RENDERED_LENGTH} characters: loop over fewer items, or shorten the values`,
      );
    }
    this.buffer += text;
  }
}

function createEngine(print: (context: Context, value: unknown) => string): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    memoryLimit: WORK_UNITS,
    renderLimit: RENDER_TIMEOUT_MS,
    operators: OPERATORS,
    // Fixed time zone and locale, so that dates have the same format on every machine.
    timezoneOffset: 0,
    locale: 'en-US',
    templates: {},
    outputEscape: function (this: { context: Context }, value: unknown) {
      return print(this.context, value);
    },
  });
  limitTags(liquid);
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name];
  for (const [name, filter] of TEMPLATE_FILTERS) liquid.registerFilter(name, filter);
  chargeNodes(liquid);
  return liquid;
}

function charged(name: string): Operators[string] {
  const compare = defaultOperators[name] as BinaryOperator;
  return function* (left: unknown, right: unknown, context: Context): Generator<unknown, boolean, unknown> {
    chargeSize(context, left);
    chargeSize(context, right);
    if (name === 'contains') chargeSearch(context, left, right);
    return (yield compare(left, right, context)) as boolean;
  };
}

/** Charges the budget for every rendered list of nodes and limits its output, also within a `capture`. */
function chargeNodes(liquid: Liquid): void {
  const { renderer } = liquid;
  const render = renderer.renderTemplates.bind(renderer);
  const units = new WeakMap<Template[], number>();
  renderer.renderTemplates = function* (templates: Template[], context: Context, emitter?: Emitter) {
    let charge = units.get(templates);
    if (charge === undefined) units.set(templates, (charge = unitsOf(templates)));
    chargeWork(context, charge);
    return (yield* render(templates, context, emitter ?? new BoundedEmitter(context))) as unknown;
  };
}

function unitsOf(templates: Template[]): number {
  let units = NODE_UNITS;
  for (const template of templates) {
    const tokens = template.arguments === undefined ? [] : tokensIn([...template.arguments()]);
    units += NODE_UNITS + TOKEN_UNITS * [...tokens].length;
  }
  return units;
}

/** Escapes values for html. */
export const htmlEngine = createEngine((context, value) => escapeHtml(printable(context, value)));
/** Prints values unchanged. */
export const textEngine = createEngine(printable);
