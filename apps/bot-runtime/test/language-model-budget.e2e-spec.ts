import { TcpProxy, until } from '@heliograph/testing';
import { GOOD, LanguageModelFixture } from './language-model-fixture';
import { chunkOf, cut, raw, refusing, saying, type ModelServer } from './model-server';

describe('the language model has a daily token budget for each bot', () => {
  let fixture: LanguageModelFixture;
  beforeAll(async () => {
    fixture = await LanguageModelFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.beforeTest());
  afterEach(() => fixture.afterTest());

  it('from which the reported usage is deducted', async () => {
    fixture.server.scripts = [saying(GOOD, { usage: 345 })];
    const model = await fixture.modelOf();
    const request = fixture.question();
    await model.answer(request);
    await model.answer(request);
    expect(await fixture.usedBy(request.bot.id)).toBe(690);
  });

  it.each<[string, ModelServer['scripts'][number], (used: number) => boolean]>([
    [
      'from which an estimate is deducted if no usage is reported',
      saying(GOOD, { usage: null }),
      (used) => used > 300 && used < 2_000,
    ],
    ['from which nothing is deducted if the model returns an error', refusing(500), (used) => used === 0],
    ['from which nothing is deducted if the model is not reachable', cut, (used) => used === 0],
    [
      'from which the question is deducted if the stream breaks',
      raw(chunkOf('Thirty').trim(), ''),
      (used) => used > 300,
    ],
  ])('%s', async (_, script, isRight) => {
    fixture.server.scripts = [script];
    const request = fixture.question();
    await (await fixture.modelOf()).answer(request);
    const used = await fixture.usedBy(request.bot.id);
    expect(isRight(used ?? -1) ? 'right' : used).toBe('right');
  });

  it('that concurrent calls of all processes do not exceed', async () => {
    fixture.server.scripts = [saying(GOOD, { usage: 1_500 })];
    const models = await Promise.all(
      [1, 2].map(() => fixture.modelOf({ BOT_MODEL_DAILY_TOKENS: '10000', BOT_MODEL_MAX_TOKENS: '1000' })),
    );
    const request = fixture.question();
    const other = fixture.question();
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => models[index % 2]?.answer(request)));
    expect(answers.some((answer) => answer === null)).toBe(true);
    while (await models[0]?.answer(request));
    expect(await fixture.usedBy(request.bot.id)).toBeLessThanOrEqual(10_000);
    expect(await models[0]?.answer(other)).not.toBeNull();
  });

  it('that starts again each day, and whose old records are deleted', async () => {
    const model = await fixture.modelOf({ BOT_MODEL_DAILY_TOKENS: '5000' });
    fixture.server.scripts = [saying(GOOD, { usage: 5 })];
    const request = fixture.question();
    const use = (day: string, tokens: number) =>
      fixture.database.query(
        `INSERT INTO bots.model_uses VALUES ($1, (now() AT TIME ZONE 'utc')::date - $2::integer, $3)`,
        [request.bot.id, day, tokens],
      );
    await use('1', 5_000);
    await use('200', 1);
    expect(await model.answer(request)).not.toBeNull();
    const retained = await fixture.database.query('SELECT 1 FROM bots.model_uses WHERE bot_id = $1', [request.bot.id]);
    expect(retained).toHaveLength(2);
    await use('0', 0).catch(() => undefined);
    await fixture.database.query(`UPDATE bots.model_uses SET tokens = 4900 WHERE bot_id = $1`, [request.bot.id]);
    expect(await model.answer(request)).toBeNull();
  });

  it('that must be available: without the database, the model is not called', async () => {
    const proxy = await TcpProxy.start(fixture.database.url);
    const model = await fixture.modelOf({}, proxy.through(fixture.database.url));
    fixture.server.scripts = [saying(GOOD)];
    expect(await model.answer(fixture.question())).not.toBeNull();
    proxy.cut();
    expect(await model.answer(fixture.question())).toBeNull();
    expect(fixture.server.requests).toHaveLength(1);
    proxy.heal();
    await until('the model is called again', async () => (await model.answer(fixture.question())) !== null);
    await proxy.stop();
  });
});
