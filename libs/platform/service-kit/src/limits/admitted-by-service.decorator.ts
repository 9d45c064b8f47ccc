import { SetMetadata } from '@nestjs/common';

export const ADMITTED_BY = 'heliograph:admitted-by';

/** Where the calls of a route queue by organization. */
export type AdmittedBy = 'guard' | 'service';

/**
 * The guard does not admit the calls of this route. For calls that wait for an upstream service, that stream, or whose
 * connections are those of a group commit: their services use `Admission.run` for other work with connections.
 */
export const AdmittedByService = () => SetMetadata<string, AdmittedBy>(ADMITTED_BY, 'service');
