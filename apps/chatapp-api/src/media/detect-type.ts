import path from 'node:path';

/** Number of bytes that the detection reads. */
export const HEAD_BYTES = 4_100;

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const UNKNOWN = 'application/octet-stream';

/** The provider's names of media types for which the detection returns a different name. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'audio/x-m4a': 'audio/mp4', 'audio/vnd.wave': 'audio/wav' };

/**
 * Containers whose first bytes do not identify their content, with the types and file extensions that they may hold.
 * The declared type is used only for these containers.
 */
const CONTAINERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': { [WORD]: '.docx', [SHEET]: '.xlsx', [SLIDES]: '.pptx' },
  'application/x-cfb': {
    'application/msword': '.doc',
    'application/vnd.ms-excel': '.xls',
    'application/vnd.ms-powerpoint': '.ppt',
  },
  'video/mp4': { 'audio/mp4': '.m4a' },
};

export interface FileHead {
  bytes: Buffer;
  /** True if the bytes are the whole file. */
  isWhole: boolean;
  declaredType: string;
  fileName: string;
}

/**
 * Detects the media type of a file from its first bytes. The name and the declared type only select one of the types
 * that a container may hold.
 */
export async function detectType({ bytes, isWhole, declaredType, fileName }: FileHead): Promise<string> {
  // The package is an ES module, which CommonJS can only load with a dynamic import.
  const { fileTypeFromBuffer } = await import('file-type/core');
  const detected = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!detected) return isText(bytes, isWhole) ? 'text/plain' : UNKNOWN;
  const type = OTHER_NAMES[detected.mime] ?? detected.mime;
  const declared = declaredType.split(';')[0]?.trim().toLowerCase();
  const extension = path.extname(fileName).toLowerCase();
  const candidates = Object.entries(CONTAINERS[type] ?? {});
  const meant =
    candidates.find(([candidate]) => candidate === declared) ?? candidates.find(([, known]) => known === extension);
  return meant?.[0] ?? type;
}

/** True for UTF-8 text without control characters, except tabs, line breaks and other layout characters. */
function isText(bytes: Buffer, isWhole: boolean): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
  } catch {
    return false;
  }
}
