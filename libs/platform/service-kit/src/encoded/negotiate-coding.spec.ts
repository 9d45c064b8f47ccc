import { negotiateCoding } from './negotiate-coding';

describe('the content coding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['gzip;q=0.2, identity', 'identity'],
    ['br;q=broken, gzip', 'gzip'],
    ['zstd', 'identity'],
    [',;q=1,', 'identity'],
    ['', 'identity'],
  ])('for Accept-Encoding "%s" is %s', (header, coding) => {
    expect(negotiateCoding(header)).toBe(coding);
  });

  it('is identity without the header', () => {
    expect(negotiateCoding(undefined)).toBe('identity');
  });
});
