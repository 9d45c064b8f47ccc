import { isUtf8 } from 'node:buffer';
import type { Type } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import {
  describeUnknownField,
  FieldError,
  fieldNamesOf,
  isJsonObject,
  JSON_PIECE_BYTES,
  JsonPieces,
  withoutByteOrderMark,
} from '@heliograph/service-kit';
import { V1Contact } from './contacts.dto';
import { V1ImportedContact, V1ImportList } from './imports.dto';

/** Maximum length of a text, above the limits of all fields. The parser blocks the event loop while it reads a text. */
const MAX_STRING_BYTES = 500_000;
/** Maximum number of unknown fields that are reported. */
const MAX_FIELDS = 100;
/** The fields that a contact record of the API has, and a contact that a caller wrote does not have together. */
const RECORD_FIELDS = ['id', 'attributes', 'groups', 'consent'];

/** Reads `{"contacts": [...], "options": {...}}` in pieces. */
export class ContactListReader {
  /** One line of JSON for each contact. The caller removes the lines. */
  readonly lines: string[] = [];
  options: unknown = {};
  private count = 0;
  private readonly unknown: { field: string; message: string }[] = [];

  /** Parses the body and yields after each piece. Throws INVALID_REQUEST. */
  *read(body: Uint8Array, pieceBytes: number = JSON_PIECE_BYTES): Generator<void> {
    const json = new JsonPieces({
      paths: ['$.contacts.*', '$.*'],
      keepStack: false,
      maxStringBytes: MAX_STRING_BYTES,
      onValue: ({ value, key, parent, stack }) => {
        const isMember = stack.length === 1;
        if (Array.isArray(parent) && !isMember) {
          this.add(value);
          // The parser collects the whole list.
          if (typeof key === 'number') parent[key] = null;
        } else if (typeof key === 'string' && isMember) {
          this.check({ [key]: null }, V1ImportList, '');
          if (key === 'options') this.options = value;
        }
      },
    });
    if (!isUtf8(body)) throw new AppError('INVALID_REQUEST', 'The body is not valid UTF-8. Send JSON in UTF-8.');
    const octets = withoutByteOrderMark(body);
    try {
      for (let at = 0; at < octets.length; at += pieceBytes) {
        json.add(octets.subarray(at, at + pieceBytes));
        this.refuseUnknownFields();
        yield;
      }
      json.end();
    } catch (error) {
      throw error instanceof FieldError ? new AppError('INVALID_REQUEST', error.message, { cause: error }) : error;
    }
  }

  /** A contact record of the API can be imported as it is. Its fields that an import does not change are ignored. */
  private add(contact: unknown): void {
    if (isJsonObject(contact)) {
      const isRecord = RECORD_FIELDS.every((name) => Object.hasOwn(contact, name));
      this.check(contact, isRecord ? V1Contact : V1ImportedContact, `contacts[${this.count}]`);
    }
    this.count += 1;
    this.lines.push(`${JSON.stringify(contact)}\n`);
  }

  private check(value: object, type: Type<object>, place: string): void {
    const known = fieldNamesOf(type);
    for (const name of Object.keys(value)) {
      if (known.fields.has(name) || this.unknown.length === MAX_FIELDS) continue;
      this.unknown.push(describeUnknownField({ name, parent: place, known }, type, undefined));
    }
  }

  private refuseUnknownFields(): void {
    const [first] = this.unknown;
    if (!first) return;
    throw new AppError('INVALID_REQUEST', first.message, { details: { fields: this.unknown } });
  }
}
