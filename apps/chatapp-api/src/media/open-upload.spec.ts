import { readCutOffRequest } from '@heliograph/testing';
import { CutOff, openUpload } from './open-upload';

describe('openUpload', () => {
  const form = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--x--\r\n',
  );
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };

  it.each([
    ['a part of a form', form.subarray(0, 80)],
    ['a whole form', form],
  ])('rejects at once when the client has sent %s and gone before it was read', async (_what, sent) => {
    const read = readCutOffRequest(headers, sent, form.length, (request) => openUpload(request, { stallMs: 60_000 }));
    await expect(read).rejects.toBeInstanceOf(CutOff);
  });
});
