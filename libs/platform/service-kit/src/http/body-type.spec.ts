import { acceptedBodyType } from './body-type';

const form = { form: () => ({}) };

describe('the Content-Type of a body', () => {
  it.each([
    [undefined, {}, ''],
    ['application/json', {}, 'application/json'],
    ['Application/JSON; charset=utf-8', {}, 'application/json'],
    ['application/json;charset="UTF-8"', {}, 'application/json'],
    ['application/merge-patch+json', {}, 'application/merge-patch+json'],
    ['application/x-www-form-urlencoded', form, 'application/x-www-form-urlencoded'],
    ['application/json', form, 'application/json'],
    ['text/anything', { bytes: () => ({}) }, 'text/anything'],
    ['text/xml; charset=utf-8', { bytes: () => ({}), mediaTypes: ['text/xml'] }, 'text/xml'],
  ])('with the value %j is accepted by %o', (header, format, type) => {
    expect(acceptedBodyType(header, format)).toBe(type);
  });

  it.each([
    ['text/plain', {}, /is not accepted here\. Send application\/json\./],
    ['application/octet-stream', {}, /Send application\/json\./],
    ['application/x-www-form-urlencoded', {}, /Send application\/json\./],
    ['text/plain', form, /Send application\/json or application\/x-www-form-urlencoded\./],
    ['x', {}, /is malformed/],
    ['', {}, /is malformed/],
    ['application/json; charset', {}, /is malformed/],
    ['application/json; charset=latin1', {}, /Send UTF-8/],
    ['application/json', { bytes: () => ({}), mediaTypes: ['text/xml'] }, /Send text\/xml\./],
  ])('with the value %j is rejected with the accepted types', (header, format, message) => {
    expect(() => acceptedBodyType(header, format)).toThrow(message);
  });
});
