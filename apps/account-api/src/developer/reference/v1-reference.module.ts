import { Module } from '@nestjs/common';
import { ApiReference } from './api-reference';
import { ServiceDocuments } from './service-documents';
import { V1ReferenceController } from './v1-reference.controller';
import { V1ReferenceService } from './v1-reference.service';

/** The OpenAPI document of the v1 API, and the API reference of all services. */
@Module({ controllers: [V1ReferenceController], providers: [ApiReference, ServiceDocuments, V1ReferenceService] })
export class V1ReferenceModule {}
