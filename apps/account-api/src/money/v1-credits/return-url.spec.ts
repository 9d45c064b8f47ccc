import { readReturnUrl } from './return-url';

const OWN = ['http://console.example:8080'];
const read = (text: string) => readReturnUrl('success_url', text, OWN);

describe('the return URL of a payment page', () => {
  it.each(['https://shop.example/thanks?x=1#y', 'http://console.example:8080/credits'])('can be %s', (url) => {
    expect(read(url)).toBe(url);
  });

  it.each([
    'http://shop.example/',
    'http://console.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://own.example@evil.example/',
    'https://evil.example\\@own.example/',
    'ftp://x.example/',
    'https://a.example/ b',
  ])('row 40: must not be %s', (url) => {
    expect(() => read(url)).toThrow('success_url must be an https URL');
  });
});
