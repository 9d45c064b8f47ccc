import { deflateRawSync } from 'node:zlib';
import { detectType, HEAD_BYTES } from './detect-type';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const MP4 = Buffer.concat([Buffer.from('00000020', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(20)]);
const M4A = Buffer.concat([Buffer.from('00000020', 'hex'), Buffer.from('ftypM4A '), Buffer.alloc(20)]);
const ELF = Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(60)]);
const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]);
const CONTENT_TYPES = `<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="${WORD}.main+xml"/></Types>`;

/** The beginning of a zip archive with one entry. */
function zip(name: string, content = 'hello'): Buffer {
  const data = deflateRawSync(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), data]);
}

const detect = (bytes: Buffer, said: { declaredType?: string; fileName?: string; isWhole?: boolean } = {}) =>
  detectType({ bytes, isWhole: true, declaredType: '', fileName: 'file', ...said });

describe('detectType', () => {
  it.each<[string, Buffer, string]>([
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', JPEG, 'image/jpeg'],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'application/pdf'],
    ['an MP4', MP4, 'video/mp4'],
    ['an M4A', M4A, 'audio/mp4'],
    ['an AMR', Buffer.from('#!AMR\n\0\0\0'), 'audio/amr'],
    [
      'an MP3 with tags',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\x10\0\0', 'latin1'), Buffer.alloc(200)]),
      'audio/mpeg',
    ],
    ['a Word document with its parts', zip('[Content_Types].xml', CONTENT_TYPES), WORD],
    ['a zip', zip('a.txt'), 'application/zip'],
    ['an OLE file', OLE, 'application/x-cfb'],
    ['text', Buffer.from('Grüße, नमस्ते 🙂\r\n\tbye'), 'text/plain'],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'text/plain'],
    ['text with a NUL character', Buffer.from('a\0b'), 'application/octet-stream'],
    ['bytes that are not valid UTF-8', Buffer.from([0xc3, 0x28, 0x41]), 'application/octet-stream'],
  ])('detects the type from the content: %s', async (_, bytes, type) => {
    expect(await detect(bytes)).toBe(type);
  });

  it.each<[string, Buffer, { declaredType?: string; fileName?: string }, string]>([
    [
      'an ELF executable declared as a JPEG',
      ELF,
      { declaredType: 'image/jpeg', fileName: 'a.jpg' },
      'application/x-elf',
    ],
    [
      'a Windows executable named .jpg',
      EXE,
      { declaredType: 'image/jpeg', fileName: 'a.jpg' },
      'application/x-msdownload',
    ],
    ['a PNG declared as a PDF', PNG, { declaredType: 'application/pdf', fileName: 'a.pdf' }, 'image/png'],
    ['text declared as HTML', Buffer.from('<b>hi</b>'), { declaredType: 'text/html' }, 'text/plain'],
    [
      'random bytes declared as a video',
      Buffer.from([1, 2, 3, 255]),
      { declaredType: 'video/mp4' },
      'application/octet-stream',
    ],
    ['a zip archive declared as an image', zip('a.txt'), { declaredType: 'image/png' }, 'application/zip'],
  ])('ignores the declared type when the content contradicts it: %s', async (_, bytes, said, type) => {
    expect(await detect(bytes, said)).toBe(type);
  });

  it.each<[string, Buffer, { declaredType?: string; fileName?: string }, string]>([
    ['a zip archive declared as a spreadsheet', zip('docProps/app.xml'), { declaredType: SHEET }, SHEET],
    [
      'a zip archive named .docx',
      zip('docProps/app.xml'),
      { declaredType: 'application/octet-stream', fileName: 'A.DOCX' },
      WORD,
    ],
    ['an OLE file declared as a Word document', OLE, { declaredType: 'application/msword' }, 'application/msword'],
    ['an OLE file named .xls', OLE, { fileName: 'a.xls' }, 'application/vnd.ms-excel'],
    ['an MP4 declared as audio', MP4, { declaredType: 'audio/mp4; codecs=mp4a' }, 'audio/mp4'],
  ])('uses the declared type when the content allows it: %s', async (_, bytes, said, type) => {
    expect(await detect(bytes, said)).toBe(type);
  });

  it('detects text when the end of the inspected bytes splits a character', async () => {
    const bytes = Buffer.from('é'.repeat(HEAD_BYTES)).subarray(0, HEAD_BYTES - 1);
    expect(await detect(bytes, { isWhole: false })).toBe('text/plain');
    expect(await detect(bytes, { isWhole: true })).toBe('application/octet-stream');
  });
});
