import { sendIncompleteRequest, TcpProxy, testServers, until } from '@heliograph/testing';
import { RecipientTokens } from '../src/tokens/recipient-tokens';
import { call, reportOf, sendOk, type Answer } from './calls';
import { EmailFixture, TOKEN_SECRET, type EmailTenant } from './email-fixture';

const FORM = 'application/x-www-form-urlencoded';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FROM_PAGE = 'confirm=unsubscribe';
const UNDO = 'confirm=resubscribe';

interface SentMail {
  id: string;
  to: string;
  /** Path of the List-Unsubscribe header. */
  path: string;
}

let email: EmailFixture;
let tenant: EmailTenant;
let proxy: TcpProxy;

beforeAll(async () => {
  proxy = await TcpProxy.start(testServers.databaseUrl);
  email = await EmailFixture.start({
    environment: (databaseUrl) => proxy.databaseSettings(databaseUrl),
  });
  tenant = await email.tenant();
});
afterAll(async () => {
  proxy.heal();
  await email.stop();
  await proxy.stop();
});
afterEach(() => proxy.heal());

async function sendMail(from = tenant): Promise<SentMail> {
  const to = email.recipient('jane');
  const { id } = await sendOk(email, from.key, { to, subject: 'Hi', text: 'Hi' });
  const [mail] = await email.mailbox.messagesTo(to);
  const header = String(mail?.headers['list-unsubscribe']);
  return { id, to, path: new URL(/<(https:[^>]+)>/.exec(header)?.[1] ?? '').pathname };
}

const post = (path: string, body: string, mediaType = FORM): Promise<Answer> =>
  call(email, path, { method: 'POST', body, headers: { 'Content-Type': mediaType } });
const eventsOf = async ({ id }: SentMail) => (await reportOf(email, tenant.key, id)).events;

/** Returns the status of the next send to the same address. */
async function nextMail({ to }: SentMail, from = tenant): Promise<string> {
  return (await sendOk(email, from.key, { to, subject: 'Again', text: 'Again' })).status;
}

describe('the unsubscribe link', () => {
  it('shows a confirmation page with the sender and the recipient and changes nothing', async () => {
    const mail = await sendMail();
    const answer = await call(email, mail.path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.text).toContain('<form method="post">');
    expect(answer.text).toContain('j•••@example.com');
    expect(answer.text).not.toContain(mail.to);
    expect(answer.text).not.toMatch(/<script|src=|href=/);
    expect((await call(email, mail.path, { method: 'HEAD' })).status).toBe(200);
    expect(await eventsOf(mail)).toEqual([]);
    expect(await nextMail(mail)).toBe('sent');
  });

  it('escapes names', async () => {
    const hostile = await email.tenant();
    const name = '<script>alert(1)</script>"&\u202e';
    await email.rows('UPDATE tenancy.organizations SET name = $2 WHERE id = $1', [hostile.organizationId, name]);
    const { text } = await call(email, (await sendMail(hostile)).path);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;<');
    expect(text).not.toContain('<script');
  });

  it('unsubscribes with the one-click request of a mail client, as form or multipart, without a redirect', async () => {
    const form = await sendMail();
    const answer = await post(form.path, ONE_CLICK);
    expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([
      200,
      null,
      null,
    ]);
    expect(await eventsOf(form)).toMatchObject([{ type: 'unsubscribed', recipient: form.to, reason: null }]);
    expect(await nextMail(form)).toBe('skipped');

    const multipart = await sendMail();
    const fields = new FormData();
    fields.append('List-Unsubscribe', 'One-Click');
    const response = await fetch(`${email.url}${multipart.path}`, { method: 'POST', body: fields, redirect: 'manual' });
    expect(response.status).toBe(200);
    expect(await nextMail(multipart)).toBe('skipped');
  });

  const part = (header: string, ending = '\r\n') => ['--b', header, '', 'One-Click', '--b--', ''].join(ending);
  const MULTIPART = 'multipart/form-data; boundary=b';
  it.each([
    [`${ONE_CLICK}\r\n`, FORM],
    [`${ONE_CLICK}\n`, FORM],
    [`\r\n${ONE_CLICK} \r\n\r\n`, FORM],
    [`${ONE_CLICK}&`, FORM],
    [`list-unsubscribe=one-click\r\n`, FORM],
    [`x=1&${ONE_CLICK}`, `${FORM}; charset=ISO-8859-1`],
    [`${ONE_CLICK}\r\n`, 'text/plain'],
    [part('Content-Disposition: form-data; name="List-Unsubscribe"'), MULTIPART],
    [part('Content-Disposition: form-data; name="List-Unsubscribe"', '\n'), MULTIPART],
    [part('content-disposition:form-data;name=List-Unsubscribe'), MULTIPART],
    [part('Content-Disposition: form-data; charset=utf-8; name="List-Unsubscribe"; x=y'), MULTIPART],
    [part('Content-Disposition: form-data; name="List-Unsubscribe"\r\nContent-Type: text/plain'), MULTIPART],
  ])('unsubscribes with the one-click body %j of type %s', async (body, mediaType) => {
    const mail = await sendMail();
    expect((await post(mail.path, body, mediaType)).status).toBe(200);
    expect(await eventsOf(mail)).toHaveLength(1);
  });

  it('unsubscribes with the form of its page and confirms it', async () => {
    const mail = await sendMail();
    const page = await call(email, mail.path);
    const [, name, value] = /<input type="hidden" name="([^"]+)" value="([^"]+)">/.exec(page.text) ?? [];
    const answer = await post(mail.path, `${name}=${value}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('You are unsubscribed');
    expect(answer.text).toContain('j•••@example.com');
    expect(await nextMail(mail)).toBe('skipped');
  });

  it('can be used repeatedly', async () => {
    const mail = await sendMail();
    const answers = await Promise.all(
      [ONE_CLICK, FROM_PAGE, ONE_CLICK, FROM_PAGE].map((body) => post(mail.path, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await eventsOf(mail)).toHaveLength(1);
  });

  it('suppresses the address again after the suppression was removed', async () => {
    const mail = await sendMail();
    await post(mail.path, ONE_CLICK);
    await email.rows('DELETE FROM email.suppressions WHERE address_key = $1', [mail.to]);
    expect(await nextMail(mail)).toBe('sent');
    await post(mail.path, ONE_CLICK);
    expect(await nextMail(mail)).toBe('skipped');
  });

  describe('can be undone', () => {
    const suppressionsOf = ({ to }: SentMail) =>
      email.rows<{ scope: string; reason: string }>(
        'SELECT scope, reason FROM email.suppressions WHERE address_key = $1 ORDER BY scope',
        [to],
      );
    const publishedOf = async ({ id }: SentMail) =>
      (
        await email.rows<{ type: string }>(
          `SELECT payload ->> 'type' AS type FROM testing.events
           WHERE payload #>> '{data,messageId}' = $1 AND payload ->> 'type' IN ('email.unsubscribed', 'email.resubscribed')
           ORDER BY payload ->> 'time', payload ->> 'id'`,
          [id],
        )
      ).map(({ type }) => type);
    const again = (mail: SentMail) => sendOk(email, tenant.key, { to: mail.to, subject: 'x', text: 'x' });

    it('with the form of the confirmation, as often as the person wants', async () => {
      const mail = await sendMail();
      const done = await post(mail.path, FROM_PAGE);
      const [, name, value] = /<input type="hidden" name="([^"]+)" value="([^"]+)">/.exec(done.text) ?? [];
      expect(`${name}=${value}`).toBe(UNDO);
      for (let times = 0; times < 2; times++) {
        const answer = await post(mail.path, UNDO);
        expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
        expect(answer.text).toContain('You are subscribed again');
        expect(await suppressionsOf(mail)).toEqual([]);
        expect(await nextMail(mail)).toBe('sent');
        await post(mail.path, ONE_CLICK);
        expect(await nextMail(mail)).toBe('skipped');
      }
      expect(await eventsOf(mail)).toHaveLength(1);
      expect(await publishedOf(mail)).toEqual([
        'email.unsubscribed',
        'email.resubscribed',
        'email.unsubscribed',
        'email.resubscribed',
        'email.unsubscribed',
      ]);
    });

    it('also later: GET shows the state and changes nothing', async () => {
      const mail = await sendMail();
      await post(mail.path, ONE_CLICK);
      for (let times = 0; times < 2; times++) {
        const { status, text } = await call(email, mail.path);
        expect([status, text.includes('You are unsubscribed'), text.includes(`value="resubscribe"`)]).toEqual([
          200,
          true,
          true,
        ]);
      }
      expect((await call(email, `${mail.path}?${UNDO}`)).status).toBe(200);
      expect(await nextMail(mail)).toBe('skipped');
    });

    it('repeatedly, and before an unsubscribe it changes nothing', async () => {
      const mail = await sendMail();
      expect((await post(mail.path, UNDO)).text).toContain('You are subscribed again');
      expect(await publishedOf(mail)).toEqual([]);
      await post(mail.path, FROM_PAGE);
      const answers = await Promise.all([1, 2, 3].map(() => post(mail.path, UNDO)));
      expect(answers.map(({ status, text }) => [status, text.includes('subscribed again')])).toEqual(
        Array(3).fill([200, true]),
      );
      expect(await publishedOf(mail)).toEqual(['email.unsubscribed', 'email.resubscribed']);
    });

    it('but the one-click request of a mail client always unsubscribes', async () => {
      const mail = await sendMail();
      await post(mail.path, `${ONE_CLICK}&${UNDO}`);
      expect(await nextMail(mail)).toBe('skipped');
    });

    it.each(['manual', 'bounced', 'complained'])('but a suppression with the reason %s stays', async (reason) => {
      const mail = await sendMail();
      await post(mail.path, FROM_PAGE);
      await email.rows('UPDATE email.suppressions SET reason = $2 WHERE address_key = $1', [mail.to, reason]);
      const answer = await post(mail.path, UNDO);
      expect([answer.status, answer.text.includes('You are still unsubscribed')]).toEqual([200, true]);
      expect(await suppressionsOf(mail)).toEqual([{ scope: 'marketing', reason }]);
    });

    it('but not with the link of another mail, another organization or an invalid signature', async () => {
      const mail = await sendMail();
      const { id } = await again(mail);
      const later = new RecipientTokens([TOKEN_SECRET]).unsubscribePath({ messageId: id, position: 0 });
      const foreign = await sendMail(await email.tenant());
      await post(mail.path, FROM_PAGE);
      const answer = await post(later, UNDO);
      expect([answer.status, answer.text.includes('You are still unsubscribed')]).toEqual([200, true]);
      await post(foreign.path, UNDO);
      const forged = new RecipientTokens(['a secret of somebody else']).unsubscribePath({
        messageId: mail.id,
        position: 0,
      });
      expect((await post(forged, UNDO)).status).toBe(404);
      const unknown = new RecipientTokens([TOKEN_SECRET]).unsubscribePath({ messageId: mail.id, position: 500 });
      expect((await post(unknown, UNDO)).status).toBe(404);
      expect(await suppressionsOf(mail)).toHaveLength(1);
      expect(await nextMail(mail)).toBe('skipped');
    });

    it('and asks the user to try again while the database is unavailable', async () => {
      const mail = await sendMail();
      await post(mail.path, FROM_PAGE);
      proxy.cut();
      const answer = await post(mail.path, UNDO);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
      expect(answer.text).toContain('You are still unsubscribed');
      expect(answer.text).toContain('value="resubscribe"');
      proxy.heal();
      await until('the undo works again', async () => (await post(mail.path, UNDO)).status === 200);
      expect(await nextMail(mail)).toBe('sent');
    });
  });

  it('suppresses the address for this organization only', async () => {
    const mail = await sendMail();
    await post(mail.path, ONE_CLICK);
    expect(await nextMail(mail, await email.tenant())).toBe('sent');
  });

  it.each([
    ['', FORM],
    ['List-Unsubscribe=No', FORM],
    ['confirm=', FORM],
    ['{"List-Unsubscribe":"One-Click"}', 'application/json'],
    ['--b\r\nContent-Disposition: form-data; name="x"\r\n\r\nOne-Click\r\n--b--', 'multipart/form-data; boundary=b'],
  ])('does nothing for the body %j', async (body, mediaType) => {
    const mail = await sendMail();
    const answer = await post(mail.path, body, mediaType);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<form method="post">');
    expect(await eventsOf(mail)).toEqual([]);
  });

  it('works below /api, like every path below /email', async () => {
    const mail = await sendMail();
    expect((await call(email, `/api${mail.path}`)).text).toContain('<form method="post">');
    expect((await post(`/api${mail.path}`, ONE_CLICK)).status).toBe(200);
    expect(await eventsOf(mail)).toMatchObject([{ type: 'unsubscribed' }]);
  });

  it('returns an error page for an invalid signature', async () => {
    const mail = await sendMail();
    const ref = { messageId: mail.id, position: 0 };
    const tokens = new RecipientTokens([TOKEN_SECRET]);
    for (const path of [
      new RecipientTokens(['a secret of somebody else']).unsubscribePath(ref),
      tokens.openPath(ref).replace('/t/o/', '/u/').replace('.gif', ''),
      tokens.unsubscribePath({ ...ref, position: 500 }).slice(0, -1),
      '/email/u/x',
      `/email/u/${'x'.repeat(5_000)}`,
    ]) {
      expect((await call(email, path)).status).toBe(404);
      const answer = await post(path, ONE_CLICK);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
    expect(await eventsOf(mail)).toEqual([]);
  });

  it('returns the error page for an invalid signature before the body is read', async () => {
    const answer = await sendIncompleteRequest(`${email.url}/email/u/x`, { 'Content-Type': FORM });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('returns an error page if the mail is no longer stored', async () => {
    const mail = await sendMail();
    const path = new RecipientTokens([TOKEN_SECRET]).unsubscribePath({ messageId: mail.id, position: 500 });
    expect((await post(path, ONE_CLICK)).status).toBe(404);
  });

  it('limits the size of the body', async () => {
    const mail = await sendMail();
    expect((await post(mail.path, `${ONE_CLICK}&x=${'x'.repeat(20_000)}`)).status).toBe(413);
    expect(await eventsOf(mail)).toEqual([]);
  });

  it('asks the user to try again while the database is unavailable', async () => {
    const mail = await sendMail();
    proxy.cut();
    const answer = await post(mail.path, FROM_PAGE);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(answer.text).toContain('You are not unsubscribed yet');
    expect((await call(email, mail.path)).text).toContain('<form method="post">');
    proxy.heal();
    await until('the page works again', async () => (await post(mail.path, FROM_PAGE)).status === 200);
    expect(await nextMail(mail)).toBe('skipped');
  });
});
