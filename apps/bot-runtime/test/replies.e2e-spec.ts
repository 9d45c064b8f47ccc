import { BotFixture, type Chat, type Message } from './bot-fixture';
import type { BotDetails, MadeBot } from './make-bot';

const SHOP: BotDetails = {
  name: 'Ada',
  settings: { handoff: { enabled: true } },
  faqs: [
    {
      id: 'hours',
      question: 'When are you open?',
      answer: 'From 9 to 5.',
      phrasings: ['opening hours'],
      label: 'Hours',
    },
    { id: 'refund-status', question: 'What is the status of my refund?', answer: 'Look into your account.' },
    { id: 'refund-policy', question: 'What is the policy of a refund?', answer: 'Money back within 30 days.' },
    { id: 'demo-length', question: 'How long does a demo take?', answer: 'Half an hour.' },
    { id: 'hello', question: 'Hello!', answer: 'Ahoy.', phrasings: ['Good day'] },
    { id: 'robot', question: 'Are you a robot?', answer: 'A parrot.' },
    { id: 'human', question: 'How do I talk to a human?', answer: 'Call 555.' },
    { id: 'hidden', question: 'What is the secret password?', answer: 'Swordfish.', enabled: false },
    { id: 'unpublished', question: 'Who owns the zeppelin?', answer: 'Nobody yet.', published: false },
  ],
  knowledge: [
    { title: 'Care', body: 'Wash woollen socks in cold water by hand.', url: 'https://shop.example/care' },
    { title: 'Draft', body: 'Umbrellas are repaired in Lisbon.', published: false },
  ],
  shortcuts: [
    { id: 'care', label: 'Care', command: '/care', query: 'How do I wash woollen socks?' },
    { id: 'gone', label: 'Gone', command: '/gone', enabled: false },
  ],
  forms: [
    { id: 'demo', title: 'Book a demo', keywords: ['demo'], fields: [{ key: 'email', type: 'email', required: true }] },
  ],
};

describe('a reply of a running bot', () => {
  let fixture: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    fixture = await BotFixture.shared();
    bot = await fixture.bot(SHOP);
  });

  const replyTo = async (chat: Chat, text: string, more: Record<string, unknown> = {}): Promise<Message> => {
    const { status, body, text: said } = await fixture.say(chat, text, more);
    if (status !== 201) throw new Error(`the message returned ${status} ${said}`);
    return body['reply'] as Message;
  };
  const firstReply = async (text: string, more: Record<string, unknown> = {}, made = bot): Promise<Message> =>
    replyTo(await fixture.chat(made.publicId), text, more);

  it.each([
    ['/care', 'knowledge', 'Wash woollen socks in cold water by hand.'],
    ['/CA', 'knowledge', 'Wash woollen socks in cold water by hand.'],
    ['/help', 'command', '- `/care` Care'],
    ['/gone', 'fallback', 'Sorry, I do not know that one.'],
    ['hello Ada', 'small-talk', 'Hi there!'],
    ['I want to talk to a real person', 'handoff', 'I have asked the team'],
    ['hello', 'faq', 'Ahoy.'],
    ['good day!', 'faq', 'Ahoy.'],
    ['Good morning', 'small-talk', ''],
    ['are you a robot', 'faq', 'A parrot.'],
    ['How do I talk to a human?', 'faq', 'Call 555.'],
    ['I want a demo', 'form', 'Please fill in'],
    ['How long does a demo take?', 'faq', 'Half an hour.'],
    ['what are your openign hours', 'faq', 'From 9 to 5.'],
    ['How should I wash my woollen socks', 'knowledge', 'Wash woollen socks in cold water by hand.'],
    ['refund', 'choices', 'Which of these do you mean?'],
    ['What is the secret password?', 'fallback', 'Sorry, I do not know that one.'],
    ['Who owns the zeppelin?', 'fallback', 'Sorry, I do not know that one.'],
    ['Where are umbrellas repaired?', 'fallback', 'Sorry, I do not know that one.'],
    ['🍕🍕🍕', 'fallback', 'Sorry, I do not know that one.'],
    ['?!?', 'fallback', 'Sorry, I do not know that one.'],
    ['^(a+)+$|\\b[x-z]{1,} & ! | ( ) : * \' "', 'fallback', 'Sorry, I do not know that one.'],
    [`${'x'.repeat(3_999)}!`, 'fallback', 'Sorry, I do not know that one.'],
  ])('to "%s" has the source %s', async (text, via, content) => {
    const reply = await firstReply(text);
    expect(reply.metadata['via']).toBe(via);
    expect(reply.content).toContain(content);
  });

  it('offers similar questions, and the selected one is sent back unchanged as the action', async () => {
    const chat = await fixture.chat(bot.publicId);
    const { quickReplies = [] } = await replyTo(chat, 'refund');
    expect(quickReplies.map(({ id }) => id).sort()).toEqual(['refund-policy', 'refund-status']);
    const [picked] = quickReplies;
    expect(picked).toEqual({
      id: picked?.id,
      label: picked?.label,
      type: 'faq',
      action: { type: 'faq', id: picked?.id },
    });
    const answer = await replyTo(chat, picked?.label ?? '', { action: picked?.action });
    expect(answer.metadata).toEqual({ author: 'bot', via: 'action', faqId: picked?.id });
  });

  it.each([
    { type: 'faq', id: 'hidden' },
    { type: 'faq', id: 'unpublished' },
    { type: 'faq', id: 'nothing' },
    { type: 'shortcut', id: 'gone', command: '/gone' },
    { type: 'shortcut', id: 'care', command: '/hours' },
  ])('rejects the action %j, and stores nothing', async (action) => {
    const chat = await fixture.chat(bot.publicId);
    const { status, body } = await fixture.say(chat, 'x', { action });
    expect([status, body['code']]).toEqual([400, 'INVALID_ACTION']);
    expect(await fixture.transcript(chat)).toEqual([]);
  });

  it('rejects the FAQ of another bot', async () => {
    const other = await fixture.bot({ faqs: [{ id: 'theirs', question: 'Whose?', answer: 'Theirs.' }] });
    const theirs = { action: { type: 'faq', id: 'theirs' } };
    expect((await firstReply('x', theirs, other)).content).toBe('Theirs.');
    expect((await fixture.say(await fixture.chat(bot.publicId), 'x', theirs)).status).toBe(400);
  });

  it('names the article that it quotes', async () => {
    expect((await firstReply('how to wash woollen socks?')).metadata).toEqual({
      author: 'bot',
      via: 'knowledge',
      sources: [{ title: 'Care', url: 'https://shop.example/care' }],
    });
  });

  it('to the first message contains suggestions', async () => {
    const { started } = await fixture.chat(bot.publicId, { message: 'hi' });
    expect(started['reply']).toMatchObject({ quickReplies: [{ id: 'hours', label: 'Hours' }] });
  });

  it('offers an agent after two consecutive questions without an answer, and requests one when the visitor agrees', async () => {
    const chat = await fixture.chat(bot.publicId);
    expect((await replyTo(chat, 'gibberish one')).content).not.toContain('person');
    expect((await replyTo(chat, 'gibberish two')).content).toContain('Write “person”');
    expect((await replyTo(chat, 'yes please')).metadata['via']).toBe('handoff');
    expect((await fixture.stored(chat.id)).handoffRequestedAt).not.toBeNull();
  });

  it('shows a form for its keyword until the form is submitted', async () => {
    const chat = await fixture.chat(bot.publicId);
    expect((await replyTo(chat, 'demo please')).form?.id).toBe('demo');
    const answers = { email: 'ada@example.com' };
    const { status, body } = await fixture.postOn(chat, '/forms/demo/submissions', { answers });
    expect([status, (body['reply'] as Message).content]).toEqual([201, 'Thanks! We have got your details.']);
    expect((await replyTo(chat, 'demo please')).form).toBeNull();
  });

  it.each([
    ['de', 'Wann haben Sie geöffnet?', 'wann habt ihr geoeffnet', 'Das weiß ich leider nicht.'],
    ['fr', 'Quels sont vos horaires ?', 'horaires', 'Désolé, je ne sais pas'],
    ['hi', 'आपकी दुकान कब खुलती है?', 'दुकान कब खुलती है', 'यह मुझे नहीं पता'],
    ['ja', '営業時間を教えてください', '営業時間は？', 'その答えは見つかりませんでした'],
  ])('is in the language of the bot: %s', async (locale, question, asked, fallback) => {
    const made = await fixture.bot({ locale, faqs: [{ question, answer: '9-17' }] });
    expect((await firstReply(asked, {}, made)).content).toBe('9-17');
    expect((await firstReply('xyzzy plugh', {}, made)).content).toContain(fallback);
  });
});
