import fc from 'fast-check';
import { GraphError } from './graph-error';
import { checkMessage } from './messages/check-message';
import type { Template } from './templates/catalogue';
import { checkTemplate } from './templates/check-template';

const anything = fc.oneof(
  fc.jsonValue(),
  // Values that break conversions to a string or a number.
  fc.constantFrom<unknown>(
    { toString: 1 },
    { valueOf: null, toString: null },
    [[]],
    '',
    0,
    -1,
    1e308,
    '\ud800',
    '{{1}}',
  ),
);
const keys =
  'id link caption name code type language components parameters index sub_type text body action buttons reply title sections rows header footer example format category url'.split(
    ' ',
  );
/** Trees of the keys and values that occur in calls. */
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    anything,
    fc.constantFrom(
      'header',
      'body',
      'button',
      'HEADER',
      'BODY',
      'BUTTONS',
      'URL',
      'OTP',
      'TEXT',
      'text',
      'list',
      'url',
      '0',
    ),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 5 }),
  ),
}));
const types = ['text', 'template', 'image', 'document', 'audio', 'video', 'sticker', 'interactive', 'other'];

const template: Template = {
  place: 1,
  id: '1',
  name: 'a',
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Hi {{1}}, you' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://a.example/{{1}}' }, null, { type: 'FLOW' }, 7] },
  ],
};
const context = {
  product: 'chatapp',
  knowsMedia: () => false,
  findTemplate: () => template,
};

/** Runs a check. Rethrows every error that is not a GraphError. */
function isHandled(check: () => unknown): boolean {
  try {
    check();
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
  }
  return true;
}

describe('the provider', () => {
  it('accepts or rejects any message without another error', () => {
    const message = fc.tuple(fc.constantFrom(...types), tree, tree).map(([type, content, rest]) => ({
      messaging_product: 'chatapp',
      to: '+491511234567',
      type,
      [type]: content,
      rest,
    }));
    fc.assert(
      fc.property(fc.oneof(message, tree), (body) => isHandled(() => checkMessage(body, context))),
      { numRuns: 2_000 },
    );
  });

  it('accepts or rejects any template component without another error', () => {
    const parameter = fc.record({ type: fc.constantFrom('text', 'payload', 'action'), text: tree, action: tree });
    const button = fc.record({
      type: fc.constant('button'),
      index: fc.oneof(fc.constantFrom<unknown>('0', 0, 2), tree),
      sub_type: fc.oneof(fc.constant('url'), tree),
      parameters: fc.oneof(fc.tuple(parameter), tree),
    });
    const components = template.components.slice(2);
    fc.assert(
      fc.property(fc.oneof(button, tree), (component) =>
        isHandled(() =>
          checkMessage(
            {
              messaging_product: 'chatapp',
              to: '+491511234567',
              type: 'template',
              template: { name: 'a', language: { code: 'en' }, components: [component] },
            },
            { ...context, findTemplate: () => ({ ...template, components }) },
          ),
        ),
      ),
      { numRuns: 2_000 },
    );
  });

  it('accepts or rejects any template without another error', () => {
    const call = fc
      .tuple(fc.constantFrom('UTILITY', 'AUTHENTICATION'), fc.array(tree, { maxLength: 4 }))
      .map(([category, components]) => ({ name: 'a', language: 'en', category, components }));
    fc.assert(
      fc.property(fc.oneof(call, tree), (body) => isHandled(() => checkTemplate(body))),
      { numRuns: 2_000 },
    );
  });
});
