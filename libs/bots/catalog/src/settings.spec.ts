import fc from 'fast-check';
import { checkSettings } from './check-settings';
import { readSettings } from './settings';

describe('the settings of a bot', () => {
  it.each([
    [{}, false],
    [{ enabled: true }, true],
    [{ keywords: ['help me'] }, true],
    [{ message: 'One moment.' }, true],
    [{ keywords: [' '], message: '' }, false],
    [{ enabled: false, keywords: ['help me'], message: 'One moment.' }, false],
  ])('offer a person if the owner has configured hand-offs: %j', (handoff, isOffered) => {
    expect(readSettings({ handoff }).handoff.isOffered).toBe(isOffered);
  });

  it('are stored without NUL and lone surrogates, which become U+FFFD', () => {
    expect(checkSettings({ 'a\0': 'b\0', c: [{ '\ud800': '\udc00' }] })).toEqual({
      'a\ufffd': 'b\ufffd',
      c: [{ '\ufffd': '\ufffd' }],
    });
  });

  it.each<[string, object, string | null]>([
    ['branding.color has priority', { branding: { color: '#111' }, brandColor: '#222', themeColor: '#333' }, '#111'],
    ['brandColor is second', { branding: {}, brandColor: '#222222', themeColor: '#333' }, '#222222'],
    ['themeColor is third', { themeColor: '#333' }, '#333'],
    ['the first valid value is used', { branding: { color: 'red' }, brandColor: '#12345', themeColor: '#AbC' }, '#AbC'],
    [
      'the default is used without a valid value',
      { branding: { color: '#1234' }, brandColor: 7, themeColor: 'url(#x)' },
      null,
    ],
  ])('define the color: %s', (_name, settings, color) => {
    expect(readSettings(settings).color).toBe(color);
  });

  it.each<[string, object, string | null]>([
    [
      'branding.logo has priority',
      { branding: { logo: 'https://a.example/1', logoUrl: 'https://a.example/2' } },
      'https://a.example/1',
    ],
    ['branding.logoUrl is second', { branding: { logo: '', logoUrl: 'https://a.example/2' } }, 'https://a.example/2'],
    [
      'the avatar is third',
      { branding: { logo: 'javascript:alert(1)', logoUrl: 'data:image/svg+xml,x' } },
      'https://a.example/a',
    ],
  ])('define the logo: %s', (_name, settings, logo) => {
    expect(readSettings(settings, 'https://a.example/a').logo).toBe(logo);
  });

  it.each<[string, object, string | null]>([
    ['branding.welcome has priority', { branding: { welcome: 'One' }, welcomeMessage: 'Two' }, 'One'],
    ['welcomeMessage is second', { branding: { welcome: ' ' }, welcomeMessage: 'Two' }, 'Two'],
    ['it is otherwise derived from the name', { branding: { welcome: 7 }, welcomeMessage: null }, null],
  ])('define the welcome message: %s', (_name, settings, welcome) => {
    expect(readSettings(settings).welcome).toBe(welcome);
  });

  it('use only the valid entries of lists', () => {
    const settings = readSettings({
      synonyms: [['post', 'mail', 7], ['alone'], 'none', [' ', '<b>a</b>', 'b']],
      allowedDomains: ['Acme.example', '*.acme.example', 'https://acme.example', 'a b', 'localhost:8080', '*'],
      handoff: { enabled: false, keywords: ['help me', ''], message: 'One <i>moment</i>' },
      languageModel: { enabled: false },
    });
    expect(settings.synonyms).toEqual([
      ['post', 'mail'],
      ['a', 'b'],
    ]);
    expect(settings.allowedDomains).toEqual(['acme.example', '*.acme.example', 'localhost:8080']);
    expect(settings.handoff).toEqual({
      isEnabled: false,
      isOffered: false,
      keywords: ['help me'],
      message: 'One moment',
    });
    expect(settings.languageModel).toEqual({ isEnabled: false, instructions: null });
  });

  it.each([undefined, null, []])('allow every site for allowedDomains %j', (allowedDomains) => {
    expect(readSettings({ allowedDomains }).allowedDomains).toBeNull();
  });

  it.each(['acme.example', 7, {}, true, '', ['https://acme.example'], [7], ['a b', '*']])(
    'allow no site for invalid stored allowedDomains %j, which cannot be stored again',
    (allowedDomains) => {
      expect(readSettings({ allowedDomains }).allowedDomains).toEqual([]);
      expect(() => checkSettings({ allowedDomains })).toThrow(/^settings\.allowedDomains: must be a list/);
    },
  );

  it('are stored with allowedDomains only if every entry is valid and there are at most 100', () => {
    const valid = { allowedDomains: ['Acme.example', '*.acme.example', 'localhost:8080'] };
    expect(checkSettings(valid)).toEqual(valid);
    for (const allowedDomains of [['acme.example', 'acme.example/path'], Array<string>(101).fill('acme.example')]) {
      expect(() => checkSettings({ allowedDomains })).toThrow(/^settings\.allowedDomains/);
    }
  });

  it('can be read from any stored value, with the same result before and after they are stored', () => {
    const known = fc.constantFrom('branding', 'brandColor', 'welcomeMessage', 'fallback', 'synonyms', 'handoff', 'x');
    fc.assert(
      fc.property(
        fc.dictionary(known, fc.jsonValue({ maxDepth: 4 })),
        fc.jsonValue({ maxDepth: 3 }),
        (object, whatever) => {
          expect(readSettings(whatever)).toMatchObject({ synonyms: expect.any(Array) });
          const stored = checkSettings(object);
          expect(checkSettings(stored)).toEqual(stored);
          expect(readSettings(stored)).toEqual(readSettings(object));
        },
      ),
    );
  });
});
