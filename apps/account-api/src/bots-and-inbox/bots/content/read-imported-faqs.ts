import { AppError } from '@heliograph/errors';
import { RequestValidationPipe } from '@heliograph/service-kit';
import { accountValidation } from '../../../http/input';
import { ImportedFaq } from './faqs.dto';

const pipe = new RequestValidationPipe(accountValidation);

/** Validates each entry of an import. Throws VALIDATION_ERROR that names the first invalid entry. */
export function readImportedFaqs(faqs: readonly object[]): ImportedFaq[] {
  return faqs.map((faq, index) => {
    try {
      return pipe.transform(faq, { type: 'body', metatype: ImportedFaq }) as ImportedFaq;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `faqs[${index}].${error.message}`, { cause: error });
    }
  });
}
