import { expectEventually, until } from '@heliograph/testing';
import type { Frame } from 'playwright-core';
import { bubbles, frameTests, inContext, NINE_FIELDS, openInHost, remember } from './frame.fixture';

const at = frameTests();

const ANSWERS = {
  name: 'Ada Lovelace',
  email: 'ada@x.example',
  phone: '+49 30 123456',
  about: 'Engines\nand more',
  plan: 'Pro',
  day: '2026-12-24',
  hour: '10:30',
  seats: '2.5',
  site: 'https://x.example',
};

const submissions = () => at.runtime.calls.filter(({ path }) => path.endsWith('/submissions'));
const field = (frame: Frame, key: string) => frame.locator(`[name="${key}"]`);

async function fill(frame: Frame, answers: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(answers)) {
    if (key === 'plan') await field(frame, key).selectOption(value);
    else await field(frame, key).fill(value);
  }
}

describe('a form in the conversation', () => {
  beforeEach(() => {
    at.runtime.reply = () => ({ content: 'Thank you, we will call.' });
  });

  it('supports all nine types, each with its label, keyboard type and autocomplete', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Please tell us.', form: NINE_FIELDS }]));
      const { frame } = await openInHost(context, at.runtime);
      await fill(frame, { ...ANSWERS, seats: '2,5', site: 'x.example' });
      const attributes = await frame.locator('.form :is(input, select, textarea)').evaluateAll((controls) =>
        controls.map((control) => {
          const { name, labels, type } = control as HTMLInputElement;
          const hint = (attribute: string) => control.getAttribute(attribute);
          return [name, labels?.[0]?.innerText, type, hint('inputmode'), hint('autocomplete')];
        }),
      );
      expect(attributes).toEqual([
        ['name', 'Name', 'text', null, 'name'],
        ['email', 'Email', 'email', 'email', 'email'],
        ['phone', 'Phone (optional)', 'tel', 'tel', 'tel'],
        ['about', 'What is it about?', 'textarea', null, 'off'],
        ['plan', 'Plan', 'select-one', null, 'off'],
        ['day', 'Day', 'date', null, 'off'],
        ['hour', 'Hour (optional)', 'time', null, 'off'],
        ['seats', 'Seats', 'text', 'decimal', 'off'],
        ['site', 'Website (optional)', 'url', 'url', 'url'],
      ]);
      await frame.getByRole('button', { name: 'Submit' }).click();
      await bubbles(frame).getByText('Thank you, we will call.').waitFor();
      expect(submissions().map(({ body }) => body)).toEqual([{ answers: ANSWERS }]);
    }));

  it('is replaced by a summary of the answers', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Please tell us.', form: NINE_FIELDS }]));
      const { frame } = await openInHost(context, at.runtime);
      await fill(frame, ANSWERS);
      await frame.getByRole('button', { name: 'Submit' }).click();
      await frame.locator('.form-summary').getByText('Ada Lovelace').waitFor();
      await expectEventually(() => frame.locator('form.form').count(), 0);
    }));

  it('lists invalid answers in its own language, focuses the summary, and links to the field', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Please tell us.', form: NINE_FIELDS }]));
      const { frame } = await openInHost(context, at.runtime);
      await fill(frame, { ...ANSWERS, name: ' ', email: 'ada' });
      await frame.getByRole('button', { name: 'Submit' }).click();
      const summary = frame.getByRole('group', { name: 'Please check these answers:' });
      await summary.waitFor();
      await expectEventually(() => summary.evaluate((group) => group === document.activeElement), true);
      await expectEventually(
        () => frame.locator('.field-error').allInnerTexts(),
        ['Please fill this in.', 'Please enter an email address such as name@example.com.'],
      );
      await expectEventually(() => field(frame, 'email').getAttribute('aria-invalid'), 'true');
      const described = await field(frame, 'email').getAttribute('aria-describedby');
      expect(await frame.locator(`[id="${described}"]`).innerText()).toContain('an email address');
      await summary.getByRole('button', { name: /^Email/ }).click();
      await expectEventually(() => field(frame, 'email').evaluate((input) => input === document.activeElement), true);
      expect(submissions()).toEqual([]);
    }));

  it('shows errors from the server next to the fields, and can be submitted again', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Please tell us.', form: NINE_FIELDS }]));
      const { frame } = await openInHost(context, at.runtime);
      await context.route('**/submissions', (route) =>
        route.fulfill({
          status: 400,
          json: {
            ok: false,
            code: 'INVALID_SUBMISSION',
            message: '',
            fields: [{ key: 'email', message: 'This domain takes no mail.' }],
          },
        }),
      );
      await fill(frame, ANSWERS);
      await frame.getByRole('button', { name: 'Submit' }).click();
      await frame.locator('.field-error').getByText('This domain takes no mail.').waitFor();
      await expectEventually(() => field(frame, 'name').inputValue(), 'Ada Lovelace');
      await context.unrouteAll();
      await field(frame, 'email').fill('ada@y.example');
      await frame.getByRole('button', { name: 'Submit' }).click();
      await frame.locator('.form-summary').waitFor();
    }));

  it('is submitted once on a double click, and retries while the server is unavailable', () =>
    inContext(at.browser, async (context) => {
      let tries = 0;
      at.runtime.fault = ({ path }) => {
        if (!path.endsWith('/submissions')) return undefined;
        return ++tries === 1 ? { status: 503, afterCommit: true } : undefined;
      };
      const conversation = at.runtime.seed([{ content: 'Please tell us.', form: NINE_FIELDS }]);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await fill(frame, ANSWERS);
      await frame.getByRole('button', { name: 'Submit' }).dblclick();
      await frame.locator('.form-summary').waitFor();
      await until('the form was submitted again', () => submissions().length === 2);
      expect(conversation.messages.filter(({ contentType }) => contentType === 'form')).toHaveLength(1);
    }));

  it('is prefilled with the traits that the site provides for its visitor', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Hello.' }]));
      at.runtime.reply = () => ({ content: 'Please tell us.', form: NINE_FIELDS });
      const { frame, tell } = await openInHost(context, at.runtime);
      await tell({ type: 'identify', traits: { name: 'Ada', email: 'ada@x.example' } });
      await frame.locator('.composer textarea').fill('demo');
      await frame.locator('.composer textarea').press('Enter');
      await field(frame, 'email').waitFor();
      await expectEventually(() => field(frame, 'email').inputValue(), 'ada@x.example');
      await expectEventually(() => field(frame, 'name').inputValue(), 'Ada');
    }));
});
