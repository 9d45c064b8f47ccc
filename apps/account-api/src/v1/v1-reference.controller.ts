import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Public, V1Refusals } from '@heliograph/service-kit';
import { PUBLIC_ERRORS } from '../http/api-errors';
import { V1ReferenceService } from './v1-reference.service';

/** The page that displays the document; its scripts and styles are those of /docs. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heliograph API v1</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>
window.ui = SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#swagger-ui', deepLinking: true });
</script>
</body>
</html>
`;

/** The reference of the v1 API, which everybody can read. */
@ApiTags('v1: reference')
@Controller('api/v1')
export class V1ReferenceController {
  constructor(private readonly reference: V1ReferenceService) {}

  @Get('openapi.json')
  @Public()
  @ApiOperation({ operationId: 'v1GetOpenApi', summary: 'Get the OpenAPI document of the whole v1 API' })
  @ApiResponse({ status: 200, schema: { type: 'object', additionalProperties: true } })
  @V1Refusals(...PUBLIC_ERRORS)
  document(): Promise<object> {
    return this.reference.document();
  }

  @Get('docs')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiOperation({ operationId: 'v1GetDocs', summary: 'Read the reference of the v1 API' })
  @ApiResponse({ status: 200, content: { 'text/html': { schema: { type: 'string' } } } })
  @V1Refusals(...PUBLIC_ERRORS)
  page(): string {
    return PAGE;
  }
}
