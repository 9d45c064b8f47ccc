import { Catch, Inject, Injectable } from '@nestjs/common';
import { ErrorFilter, ErrorReport, type AppError, type ErrorCode } from '@heliograph/errors';
import { LOGGER, PAGE_HEADERS, pageHtml, type Logger, type Page } from '@heliograph/service-kit';

type Explanation = Pick<Page, 'title' | 'text'>;

const BY_CODE: Partial<Record<ErrorCode, Explanation>> = {
  RATE_LIMITED: {
    title: 'Too many attempts',
    text: ['There were too many attempts from your network. Wait a minute, go back, and try again.'],
  },
  FORBIDDEN: {
    title: 'This request is not allowed',
    text: ['The form was sent from another site. Open the link in the email again, and send the form from there.'],
  },
  PAYLOAD_TOO_LARGE: {
    title: 'The form is too large',
    text: ['Go back, enter shorter texts, and send the form again.'],
  },
};

const REFUSED: Explanation = {
  title: 'The form was not accepted',
  text: ['Open the link in the email again, and send the form from there.'],
};

const UNAVAILABLE: Explanation = {
  title: 'Temporary problem',
  text: ['The service is temporarily unavailable. Nothing has changed. Go back and try again in a minute.'],
};

/** Answers errors with a page, because people read them in a browser. */
@Injectable()
@Catch()
export class ConsoleErrorFilter extends ErrorFilter {
  constructor(@Inject(LOGGER) log: Logger) {
    super(
      new ErrorReport(log),
      (error, _request, response) => void response.set(PAGE_HEADERS).send(pageHtml(pageOf(error))),
    );
  }
}

function pageOf({ code, status }: AppError): Page {
  return { mark: 'problem', status, ...(BY_CODE[code] ?? (status >= 500 ? UNAVAILABLE : REFUSED)) };
}
