import { SetMetadata } from '@nestjs/common';

/** What a route asks of its caller. A route without this mark is closed by whichever guard the service has. */
export const ACCESS = 'heliograph:access';

/** No credential needed. */
export const Public = () => SetMetadata(ACCESS, 'public');
