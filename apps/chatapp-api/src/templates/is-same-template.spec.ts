import { isSameTemplate } from './is-same-template';

const BODY = { type: 'BODY', text: 'Look at this' };
const card = (text: string, format = 'IMAGE', button = 'Buy') => ({
  components: [
    { type: 'HEADER', format, example: { header_handle: ['handle'] } },
    { type: 'BODY', text },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: button }] },
  ],
});
const carousel = (...cards: object[]) => [BODY, { type: 'CAROUSEL', cards }];

describe('a template of the provider', () => {
  it('is the same as the sent template with different samples, and with types in lower case', () => {
    const found = carousel({
      components: [
        { type: 'header', format: 'image', example: { header_handle: ['https://cdn.example/1.png'] } },
        { type: 'body', text: 'One' },
        { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Buy' }] },
      ],
    });
    expect(isSameTemplate(carousel(card('One')), found)).toBe(true);
  });

  it.each([
    ['another text in a card', carousel(card('One'), card('Three'))],
    ['another format in a card', carousel(card('One'), card('Two', 'VIDEO'))],
    ['another button in a card', carousel(card('One'), card('Two', 'IMAGE', 'Sell'))],
    ['the cards in a different order', carousel(card('Two'), card('One'))],
    ['a missing card', carousel(card('One'))],
    ['a missing component in a card', carousel(card('One'), { components: card('Two').components.slice(0, 2) })],
    ['no cards', [BODY, { type: 'CAROUSEL' }]],
    ['another body', [{ type: 'BODY', text: 'Hi' }, ...carousel(card('One'), card('Two')).slice(1)]],
  ])('is different with %s', (_, found) => {
    expect(isSameTemplate(carousel(card('One'), card('Two')), found)).toBe(false);
  });

  it('is the same as the sent template with the text and the button that the provider adds for one-time codes', () => {
    const sent = [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }];
    const found = [
      { type: 'BODY', text: '*{{1}}* is your code.' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url: 'https://www.example.com/otp' }] },
    ];
    expect(isSameTemplate(sent, found)).toBe(true);
  });
});
