import { Inject, Injectable } from '@nestjs/common';
import { ErrorFilter, ErrorReport } from '@heliograph/errors';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { FOR_ANY_SITE } from '../cross-origin/cross-origin';

/** A short lifetime, because owners check the bot right after publishing it. */
const UNAVAILABLE_CACHING = 'public, max-age=5';

/** Writes errors of the widget configuration, which have no message. */
@Injectable()
export class WidgetConfigErrorFilter extends ErrorFilter {
  constructor(@Inject(LOGGER) log: Logger) {
    super(new ErrorReport(log), ({ code }, _request, response) => {
      const caching = code === 'BOT_UNAVAILABLE' ? UNAVAILABLE_CACHING : 'no-store';
      response.set({ ...FOR_ANY_SITE, 'Cache-Control': caching, 'X-Content-Type-Options': 'nosniff' });
      response.json({ ok: false, code });
    });
  }
}
