import { readCutOffRequest } from '@heliograph/testing';
import { passOnUpload } from './import-upload';

describe('passOnUpload', () => {
  const csv = Buffer.from('email\nann@example.com\n');
  const form = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\n--x--\r\n',
  );
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };

  it.each([
    ['a part of a file', {}, csv.subarray(0, 9), csv.length, false],
    ['a whole file', {}, csv, csv.length, false],
    ['a part of a form', multipart, form.subarray(0, 80), form.length, true],
    ['a whole form', multipart, form, form.length, true],
  ])(
    'rejects when the client has sent %s and gone before it was read',
    async (_what, headers, sent, length, isForm) => {
      const store = jest.fn(() => Promise.resolve());
      const read = readCutOffRequest(headers, sent, length, (request) => passOnUpload(request, isForm, store));
      await expect(read).rejects.toMatchObject({ message: 'The upload was interrupted. Send the file again.' });
      expect(store).not.toHaveBeenCalled();
    },
  );
});
