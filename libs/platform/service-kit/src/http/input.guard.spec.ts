import { Body, Controller, ForbiddenException, Module, Post, UseGuards } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppError } from '@heliograph/errors';
import { FieldDirectory } from '../fields/field-directory';
import { INPUT_DEFAULTS, type InputDefaults } from './input-formats';
import { InputGuard } from './input.guard';
import { RequestValidationPipe } from './request-validation.pipe';
import { rule } from './rules';
import { IsOptional } from 'class-validator';

class Optional {
  @IsOptional()
  name: string = 'default';
}
class Required {
  @rule('isName', 'must be a name', (value) => typeof value === 'string')
  name: string;
}

@Controller()
class InputController {
  @Post('optional')
  optional(@Body() body: Optional): object {
    return { type: body.constructor.name, ...body };
  }

  @Post('required')
  required(@Body() body: Required): object {
    return { type: body.constructor.name, ...body };
  }

  @Post('refused')
  @UseGuards({ canActivate: () => false })
  refused(@Body() body: Required): object {
    return body;
  }
}

describe('the input of a service with its own formats', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    const body: InputDefaults['body'] = { mayBeEmpty: true, bytes: (bytes) => ({ name: bytes.toString(), other: 1 }) };
    @Module({
      imports: [DiscoveryModule],
      controllers: [InputController],
      providers: [
        { provide: INPUT_DEFAULTS, useValue: { body } satisfies InputDefaults },
        FieldDirectory,
        { provide: APP_GUARD, useClass: InputGuard },
        { provide: APP_PIPE, useValue: new RequestValidationPipe() },
      ],
    })
    class InputModule {}
    app = await NestFactory.create<NestExpressApplication>(InputModule, { bodyParser: false, logger: false });
    app.useGlobalFilters({
      catch: (error, host) => {
        const isRefused = error instanceof ForbiddenException;
        const code = error instanceof AppError ? error.code : isRefused ? 'FORBIDDEN' : String(error);
        host.switchToHttp().getResponse<{ json(body: object): void }>().json({ code });
      },
    });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<unknown> =>
    (await fetch(`${await app.getUrl()}/${path}`, { method: 'POST', body, headers })).json();

  it('is parsed with the formats of the service and contains only the declared fields', async () => {
    expect(await post('required', 'Ann')).toEqual({ type: 'Required', name: 'Ann' });
  });

  it('can be empty if every field is optional', async () => {
    expect(await post('optional', '')).toEqual({ type: 'Optional', name: 'default' });
    expect(await post('required', '')).toEqual({ code: 'INVALID_REQUEST' });
  });

  it.each([
    ['is too large', 'x'.repeat(1_000_001), {}, 'PAYLOAD_TOO_LARGE'],
    ['has an unknown encoding', 'x', { 'content-encoding': 'unknown' }, 'INVALID_REQUEST'],
  ])('is rejected after the guards of the method if it %s', async (_name, body, headers, code) => {
    expect(await post('required', body, headers)).toEqual({ code });
    expect(await post('refused', body, headers)).toEqual({ code: 'FORBIDDEN' });
  });
});
