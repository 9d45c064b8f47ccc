import { SetMetadata } from '@nestjs/common';

/** The permission that a route requires. The guards of a service reject calls to routes without this metadata. */
export const ACCESS = 'heliograph:access';

/** No credentials required. */
export const Public = () => SetMetadata(ACCESS, 'public');
