import { readContent } from './message-content';

const NOTHING = { text: null, media: null, reply: null, location: null, contacts: null, reaction: null, order: null };

describe('the content of a message', () => {
  it.each([
    ['text', { body: 'Hello' }, { text: 'Hello' }],
    ['image', { id: '1', caption: 'A car' }, { text: 'A car', media: { type: 'image', id: '1', caption: 'A car' } }],
    [
      'button',
      { payload: 'ORDER-7', text: 'Track' },
      { text: 'Track', reply: { type: 'button', id: null, title: 'Track', payload: 'ORDER-7' } },
    ],
    [
      'interactive',
      { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes, please' } },
      { text: 'Yes, please', reply: { type: 'button_reply', id: 'yes', title: 'Yes, please', payload: null } },
    ],
    [
      'interactive',
      { type: 'list_reply', list_reply: { id: 'slot-9', title: '9:00', description: 'Monday' } },
      { text: '9:00', reply: { type: 'list_reply', id: 'slot-9', title: '9:00', payload: null } },
    ],
    [
      'interactive',
      { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"seats":2}' } },
      { text: 'Sent', reply: { type: 'nfm_reply', id: 'flow', title: 'Sent', payload: '{"seats":2}' } },
    ],
    ['reaction', { message_id: 'wamid.1', emoji: '👍' }, { reaction: { message_id: 'wamid.1', emoji: '👍' } }],
    [
      'location',
      { latitude: 12.97, longitude: 77.59, name: 'Office' },
      { location: { latitude: 12.97, longitude: 77.59, name: 'Office' } },
    ],
    ['contacts', [{ name: { formatted_name: 'Ann' } }, 7], { contacts: [{ name: { formatted_name: 'Ann' } }] }],
    [
      'order',
      { catalog_id: '1', text: 'Soon', product_items: [{ quantity: 1 }] },
      { text: 'Soon', order: { catalog_id: '1', text: 'Soon', product_items: [{ quantity: 1 }] } },
    ],
  ])('of type %s is read from %j', (type, part, expected) => {
    expect(readContent(type, { type, [type]: part })).toEqual({ ...NOTHING, ...expected });
  });

  it.each([
    ['text', null],
    ['text', { text: ['x'] }],
    ['interactive', { interactive: { button_reply: 'x' } }],
    ['contacts', { contacts: { length: 1 } }],
    ['location', { location: [] }],
    ['__proto__', {}],
    ['unsupported', { errors: [] }],
  ])('of type %s is empty for %j', (type, payload) => {
    expect(readContent(type, payload)).toEqual(NOTHING);
  });

  it('has a reply without texts if the provider sent none', () => {
    expect(readContent('button', { button: {} })).toEqual({
      ...NOTHING,
      reply: { type: 'button', id: null, title: null, payload: null },
    });
  });
});
