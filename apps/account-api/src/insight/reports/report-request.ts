import { AppError } from '@heliograph/errors';
import { fieldError, parseScheduledAt } from '@heliograph/service-kit';
import type { Report, ReportType } from './report';
import type { V1ReportRequest } from './reports.dto';
import { REPORT_SOURCES } from './sources';

/** Returns the time range of a report, which ends at the time of the request at the latest. Throws INVALID_REQUEST. */
export function rangeOf({ from, until }: V1ReportRequest, now: Date): Pick<Report, 'since' | 'before'> {
  const since = (from && parseScheduledAt(from)?.date) || null;
  const before = (until && parseScheduledAt(until)?.date) || now;
  if (since !== null && since >= before) throw fieldError('INVALID_REQUEST', 'until', 'until must be after from.');
  return { since, before };
}

/** Returns the filters of a report. A filter with the value null is ignored. Throws INVALID_REQUEST with all invalid filters. */
export function filtersOf(type: ReportType, given: Record<string, unknown>): Record<string, string> {
  const { filters, required = [] } = REPORT_SOURCES[type];
  const fields: { field: string; message: string }[] = [];
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || fields.length === 100) continue;
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const field = `filters.${name.slice(0, 64)}`;
    if (!filter) {
      const message = `This filter does not exist. A report of the type ${type} supports the filters ${Object.keys(filters).join(', ')}.`;
      fields.push({ field, message });
    } else if (typeof value !== 'string' || !filter.isValid(value)) {
      fields.push({ field, message: `${field} must ${filter.must}.` });
    } else {
      read[name] = filter.read?.(value) ?? value;
    }
  }
  for (const name of required) {
    if (read[name] !== undefined || fields.some(({ field }) => field === `filters.${name}`)) continue;
    fields.push({ field: `filters.${name}`, message: `A report of the type ${type} requires filters.${name}.` });
  }
  const [first] = fields;
  if (first) throw new AppError('INVALID_REQUEST', first.message, { details: { fields } });
  return read;
}
