import { expect, test } from 'vitest';
import { assignErrors, readErrors } from '../../src/widgets/form/fieldErrors.js';
import type { FormField } from '../../src/widgets/form/FormField.js';
import { serverMessage } from '../../src/widgets/labels/failureKind.js';

interface Refusal {
  readonly server: string;
  /**
   * Documentation of the server. The fields are those of the form here. Compared with the source or the documentation: drf-standardized-errors,
   * Directus, PocketBase, Strapi, Elysia, Micronaut with HAL, Quarkus, Dropwizard, express-validator, LoopBack 4, Sails, FastAPI, celebrate, Hono and NestJS of before. The others were written
   * from memory: compare a row before you rely on it.
   */
  readonly link: string;
  readonly body: unknown;
  /** The message at the field `title`. */
  readonly title?: string;
  /** The messages at other fields. */
  readonly others?: Readonly<Record<string, string>>;
  /** The messages in the alert. */
  readonly alert?: readonly string[];
}

const fields: readonly FormField[] = ['title', 'tags', 'author', 'author.name', 'message'].map(name => ({
  name,
  label: name,
}));

const REFUSALS: readonly Refusal[] = [
  {
    server: 'Django REST framework',
    link: 'https://www.django-rest-framework.org/api-guide/exceptions/',
    body: { title: ['This field is required.'], message: ['This field may not be blank.'] },
    title: 'This field is required.',
    others: { message: 'This field may not be blank.' },
  },
  {
    server: 'Django REST framework, nested',
    link: 'https://www.django-rest-framework.org/api-guide/serializers/#validation',
    body: {
      author: { non_field_errors: ['Nobody is no author.'], name: ['Too long.'] },
      non_field_errors: ['Not both.'],
    },
    others: { author: 'Nobody is no author.', 'author.name': 'Too long.' },
    alert: ['Not both.'],
  },
  {
    server: 'Django REST framework, nested in what the form does not have',
    link: 'https://www.django-rest-framework.org/api-guide/serializers/#validation',
    body: { editor: { non_field_errors: ['Nobody is no editor.'] }, __all__: ['Not both.'] },
    alert: ['editor: Nobody is no editor.', 'Not both.'],
  },
  {
    server: 'Django REST framework, many',
    link: 'https://www.django-rest-framework.org/api-guide/serializers/#dealing-with-multiple-objects',
    body: [{}, { title: ['This field is required.'] }],
    title: 'This field is required.',
  },
  {
    server: 'drf-standardized-errors',
    link: 'https://drf-standardized-errors.readthedocs.io/en/latest/error_response.html',
    body: {
      type: 'validation_error',
      errors: [
        { code: 'required', detail: 'This field is required.', attr: 'title' },
        { code: 'max_length', detail: 'Too long.', attr: 'author.name' },
        { code: 'invalid', detail: 'Not both.', attr: 'non_field_errors' },
        { code: 'invalid', detail: 'Nor none.', attr: null },
      ],
    },
    title: 'This field is required.',
    others: { 'author.name': 'Too long.' },
    alert: ['Not both. Nor none.'],
  },
  {
    server: 'Django Ninja',
    link: 'https://django-ninja.dev/guides/errors/',
    body: { detail: [{ type: 'missing', loc: ['body', 'payload', 'title'], msg: 'Field required' }] },
    title: 'Field required',
  },
  {
    server: 'FastAPI',
    link: 'https://fastapi.tiangolo.com/tutorial/handling-errors/',
    body: {
      detail: [
        {
          type: 'string_type',
          loc: ['body', 'title'],
          msg: 'Input should be a valid string',
          input: 3,
          ctx: { a: ['b'] },
        },
        { type: 'value_error', loc: ['body'], msg: 'Not both.', input: { title: 'On', tags: ['moths'] } },
      ],
    },
    title: 'Input should be a valid string',
    alert: ['Not both.'],
  },
  {
    server: 'FastAPI, embedded',
    link: 'https://fastapi.tiangolo.com/tutorial/body-multiple-params/#embed-a-single-body-parameter',
    body: {
      detail: [{ loc: ['body', 'item', 'author', 'name'], msg: 'Field required', type: 'missing', input: null }],
    },
    others: { 'author.name': 'Field required' },
  },
  {
    server: 'Flask-smorest and webargs',
    link: 'https://flask-smorest.readthedocs.io/en/latest/arguments.html',
    body: {
      code: 422,
      status: 'Unprocessable Entity',
      errors: {
        json: {
          title: ['Missing data for required field.'],
          tags: { 0: ['Not a valid string.'] },
          _schema: ['Not both.'],
        },
      },
    },
    title: 'Missing data for required field.',
    others: { tags: 'Not a valid string.' },
    alert: ['Not both.'],
  },
  {
    server: 'Flask-RESTX',
    link: 'https://flask-restx.readthedocs.io/en/latest/parsing.html#error-handling',
    body: {
      errors: { title: 'Missing required parameter in the JSON body' },
      message: 'Input payload validation failed',
    },
    title: 'Missing required parameter in the JSON body',
  },
  {
    server: 'Rails',
    link: 'https://api.rubyonrails.org/classes/ActiveModel/Errors.html',
    body: { errors: { title: ["can't be blank"], base: ['Nothing was written.'] } },
    title: "can't be blank",
    alert: ['Nothing was written.'],
  },
  {
    server: 'Rails, in full sentences',
    link: 'https://api.rubyonrails.org/classes/ActiveModel/Errors.html#method-i-full_messages',
    body: { errors: ["Title can't be blank"] },
    alert: ["Title can't be blank"],
  },
  {
    server: 'Laravel',
    link: 'https://laravel.com/docs/validation#validation-error-response-format',
    body: {
      message: 'The title field is required. (and 1 more error)',
      errors: { title: ['The title field is required.'], 'tags.0': ['Taken.'] },
    },
    title: 'The title field is required.',
    others: { tags: 'Taken.' },
  },
  {
    server: 'API Platform and Symfony',
    link: 'https://api-platform.com/docs/core/validation/',
    body: {
      '@context': '/contexts/ConstraintViolationList',
      '@type': 'ConstraintViolationList',
      'hydra:title': 'An error occurred',
      'hydra:description': 'title: This value should not be blank.',
      violations: [{ propertyPath: 'title', message: 'This value should not be blank.', code: 'c1051bb4' }],
    },
    title: 'This value should not be blank.',
  },
  {
    server: 'Symfony forms (FOSRestBundle)',
    link: 'https://symfony.com/bundles/FOSRestBundle/current/2-the-view-layer.html#forms-and-views',
    body: {
      code: 400,
      message: 'Validation Failed',
      errors: {
        errors: ['Not both.'],
        children: {
          title: { errors: ['Not blank.'] },
          tags: {},
          author: { children: { name: { errors: ['Too long.'] } } },
        },
      },
    },
    title: 'Not blank.',
    others: { author: 'Too long.' },
    alert: ['Not both.'],
  },
  {
    server: 'Spring Boot with binding errors',
    link: 'https://docs.spring.io/spring-boot/reference/web/servlet.html#web.servlet.spring-mvc.error-handling',
    body: {
      timestamp: '2026-11-27T10:00:00.000+00:00',
      status: 400,
      error: 'Bad Request',
      message: "Validation failed for object='article'. Error count: 1",
      errors: [
        {
          codes: ['NotBlank.article.title', 'NotBlank.title', 'NotBlank'],
          arguments: [{ codes: ['article.title', 'title'], arguments: null, defaultMessage: 'title', code: 'title' }],
          defaultMessage: 'must not be blank',
          objectName: 'article',
          field: 'title',
          rejectedValue: '',
          bindingFailure: false,
          code: 'NotBlank',
        },
      ],
      path: '/articles',
    },
    title: 'must not be blank',
  },
  {
    server: 'Spring ProblemDetail',
    link: 'https://docs.spring.io/spring-framework/reference/web/webmvc/mvc-ann-rest-exceptions.html',
    body: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Invalid request content.',
      instance: '/articles',
    },
    alert: ['Invalid request content.'],
  },
  {
    server: 'Spring Data REST',
    link: 'https://github.com/spring-projects/spring-data-rest/blob/main/spring-data-rest-webmvc/src/main/java/org/springframework/data/rest/webmvc/support/RepositoryConstraintViolationExceptionMessage.java',
    body: { errors: [{ entity: 'Article', property: 'title', invalidValue: '', message: 'must not be blank' }] },
    title: 'must not be blank',
  },
  {
    server: 'Quarkus',
    link: 'https://quarkus.io/guides/validation',
    body: {
      title: 'Constraint Violation',
      status: 400,
      violations: [{ field: 'create.article.title', message: 'must not be blank' }],
    },
    title: 'must not be blank',
  },
  {
    server: 'Micronaut',
    link: 'https://micronaut-projects.github.io/micronaut-problem-json/latest/guide/',
    body: {
      type: 'https://zalando.github.io/problem/constraint-violation',
      title: 'Constraint Violation',
      status: 400,
      violations: [{ field: 'save.article.title', message: 'must not be blank' }],
    },
    title: 'must not be blank',
  },
  {
    server: 'Micronaut with HAL',
    link: 'https://docs.micronaut.io/latest/guide/#errorFormatting',
    body: { message: 'Bad Request', _embedded: { errors: [{ message: 'article.title: must not be blank' }] } },
    title: 'must not be blank',
  },
  {
    server: 'Dropwizard',
    link: 'https://www.dropwizard.io/en/stable/manual/validation.html',
    body: { errors: ['title must not be blank'] },
    title: 'title must not be blank',
  },
  {
    server: 'Dropwizard, of a bean',
    link: 'https://www.dropwizard.io/en/stable/manual/validation.html#limitations',
    body: { errors: ['getBean.arg0.title may not be empty'] },
    title: 'may not be empty',
  },
  {
    server: 'ASP.NET',
    link: 'https://learn.microsoft.com/aspnet/core/web-api/handle-errors#validation-failure-error-response',
    body: {
      type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
      title: 'One or more validation errors occurred.',
      status: 400,
      traceId: '00-84c1fd4063c38d9f3900d06e56542d48-85d1d4-00',
      errors: { Title: ['The Title field is required.'], '$.tags': ['The JSON value could not be converted.'] },
    },
    title: 'The Title field is required.',
    others: { tags: 'The JSON value could not be converted.' },
  },
  {
    server: 'FluentValidation',
    link: 'https://docs.fluentvalidation.net/en/latest/start.html',
    body: [
      {
        propertyName: 'Title',
        errorMessage: "'Title' must not be empty.",
        attemptedValue: '',
        customState: null,
        severity: 0,
        errorCode: 'NotEmptyValidator',
      },
    ],
    title: "'Title' must not be empty.",
  },
  {
    server: 'OData and Azure',
    link: 'https://github.com/microsoft/api-guidelines/blob/vNext/azure/Guidelines.md#handling-errors',
    body: {
      error: {
        code: 'BadArgument',
        message: 'Multiple errors in the article',
        target: 'Article',
        details: [{ code: 'NullValue', target: 'title', message: 'The title must not be null' }],
      },
    },
    title: 'The title must not be null',
  },
  {
    server: 'express-validator',
    link: 'https://express-validator.github.io/docs/api/validation-result/',
    body: { errors: [{ type: 'field', value: ['a', 'b'], msg: 'Too short.', path: 'title', location: 'body' }] },
    title: 'Too short.',
  },
  {
    server: 'express-validator, mapped',
    link: 'https://express-validator.github.io/docs/api/validation-result/#mapped',
    body: { errors: { title: { type: 'field', value: '', msg: 'Too short.', path: 'title', location: 'body' } } },
    title: 'Too short.',
  },
  {
    server: 'celebrate (Joi)',
    link: 'https://github.com/arb/celebrate#errors',
    body: {
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', keys: ['title'], message: '"title" is required' } },
    },
    title: '"title" is required',
  },
  {
    server: 'hapi',
    link: 'https://hapi.dev/tutorials/validation',
    body: {
      statusCode: 400,
      error: 'Bad Request',
      message: '"title" is not allowed to be empty',
      validation: { source: 'payload', keys: ['title'] },
    },
    title: '"title" is not allowed to be empty',
  },
  {
    server: 'Hono with Zod 3',
    link: 'https://github.com/honojs/middleware/tree/main/packages/zod-validator',
    body: {
      success: false,
      error: {
        issues: [
          { code: 'invalid_type', expected: 'string', received: 'undefined', path: ['title'], message: 'Required' },
        ],
        name: 'ZodError',
      },
    },
    title: 'Required',
  },
  {
    server: 'Hono with Zod 4',
    link: 'https://github.com/honojs/middleware/tree/main/packages/zod-validator',
    body: {
      success: false,
      error: {
        name: 'ZodError',
        message: JSON.stringify(
          [
            { expected: 'string', code: 'invalid_type', path: ['title'], message: 'Invalid input: expected string' },
            { code: 'too_big', path: ['tags', 0], message: 'Too long' },
            { code: 'custom', path: [], message: 'Not both.' },
          ],
          null,
          2,
        ),
      },
    },
    title: 'Invalid input: expected string',
    others: { tags: 'Too long' },
    alert: ['Not both.'],
  },
  {
    server: 'Zod, of no field of the form',
    link: 'https://zod.dev/error-formatting',
    body: { error: { name: 'ZodError', message: '[{"code":"custom","path":["slug"],"message":"Taken."}]' } },
    alert: ['slug: Taken.'],
  },
  {
    server: 'Zod, as a tree',
    link: 'https://zod.dev/error-formatting#ztreeifyerror',
    body: {
      errors: [],
      properties: { title: { errors: ['Too short.'] }, tags: { errors: [], items: [null, { errors: ['Long.'] }] } },
    },
    title: 'Too short.',
    others: { tags: 'Long.' },
  },
  {
    server: 'tRPC',
    link: 'https://trpc.io/docs/server/error-formatting',
    body: {
      error: {
        message: '[{"code":"too_small","path":["title"],"message":"Too short."}]',
        code: -32600,
        data: {
          code: 'BAD_REQUEST',
          httpStatus: 400,
          stack: 'TRPCError: …\n    at resolve (/srv/app.js:1:1)',
          path: 'article.create',
          zodError: { formErrors: [], fieldErrors: { title: ['Too short.'] } },
        },
      },
    },
    title: 'Too short.',
  },
  {
    server: 'Elysia',
    link: 'https://elysiajs.com/patterns/error-handling',
    body: {
      type: 'validation',
      on: 'body',
      property: '/title',
      message: 'Expected string',
      summary: "Property 'title' is missing",
      expected: { title: '', tags: ['x'] },
      found: { tags: ['moths'] },
      errors: [
        {
          summary: "Property 'title' is missing",
          type: 45,
          schema: { type: 'string' },
          path: '/title',
          message: 'Expected string',
          errors: [{ iterator: {} }],
        },
      ],
    },
    title: 'Expected string',
  },
  {
    server: 'Fastify',
    link: 'https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/',
    body: {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: 'body/title must NOT have fewer than 1 characters',
    },
    title: 'must NOT have fewer than 1 characters',
  },
  {
    server: 'Fastify, required',
    link: 'https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/',
    body: {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: "body must have required property 'title'",
    },
    title: "body must have required property 'title'",
  },
  {
    server: 'AJV',
    link: 'https://ajv.js.org/api.html#validation-errors',
    body: [
      {
        instancePath: '/author',
        schemaPath: '#/required',
        keyword: 'required',
        params: { missingProperty: 'name' },
        message: "must have required property 'name'",
      },
    ],
    others: { 'author.name': "must have required property 'name'" },
  },
  {
    server: 'NestJS',
    link: 'https://docs.nestjs.com/techniques/validation',
    body: {
      statusCode: 400,
      message: ['title should not be empty', 'author.name must be a string'],
      error: 'Bad Request',
    },
    title: 'title should not be empty',
    others: { 'author.name': 'must be a string' },
  },
  {
    server: 'NestJS of before',
    link: 'https://docs.nestjs.com/techniques/validation',
    body: {
      statusCode: 400,
      error: 'Bad Request',
      message: [
        { target: {}, property: 'title', children: [], constraints: { isNotEmpty: 'title should not be empty' } },
      ],
    },
    title: 'title should not be empty',
  },
  {
    server: 'class-validator',
    link: 'https://github.com/typestack/class-validator#validation-errors',
    body: [
      {
        target: { title: '', tags: ['moths'] },
        value: '',
        property: 'title',
        children: [],
        constraints: { isNotEmpty: 'title should not be empty' },
      },
      { property: 'author', children: [{ property: 'name', constraints: { isString: 'name must be a string' } }] },
    ],
    title: 'title should not be empty',
    others: { 'author.name': 'name must be a string' },
  },
  {
    server: 'AdonisJS',
    link: 'https://docs.adonisjs.com/guides/basics/validation',
    body: { errors: [{ message: 'The title field must be defined', rule: 'required', field: 'title' }] },
    title: 'The title field must be defined',
  },
  {
    server: 'Directus',
    link: 'https://docs.directus.io/reference/introduction.html#error-codes',
    body: {
      errors: [
        {
          message: 'Validation failed for field "title". Value is required.',
          extensions: { field: 'title', path: [], type: 'required', code: 'FAILED_VALIDATION' },
        },
      ],
    },
    title: 'Validation failed for field "title". Value is required.',
  },
  {
    server: 'Strapi',
    link: 'https://docs.strapi.io/cms/error-handling',
    body: {
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        message: 'title must be defined.',
        details: {
          errors: [{ path: ['title'], message: 'title must be defined.', name: 'ValidationError', value: null }],
        },
      },
    },
    title: 'title must be defined.',
  },
  {
    server: 'PocketBase',
    link: 'https://pocketbase.io/docs/api-records/#create-record',
    body: {
      status: 400,
      message: 'Failed to create record.',
      data: {
        title: { code: 'validation_required', message: 'Missing required value.' },
        tags: { code: 'validation_max', message: 'Too many.' },
      },
    },
    title: 'Missing required value.',
    others: { tags: 'Too many.' },
  },
  {
    server: 'PocketBase, nested',
    link: 'https://github.com/pocketbase/pocketbase/blob/master/tools/router/error.go',
    body: {
      data: { author: { name: { code: 'validation_required', message: 'Missing required value.' } } },
      message: 'Failed to create record.',
      status: 400,
    },
    others: { 'author.name': 'Missing required value.' },
  },
  {
    server: 'PostgREST and Supabase',
    link: 'https://docs.postgrest.org/en/stable/references/errors.html',
    body: {
      code: '23502',
      details: 'Failing row contains (7, null, s3cret).',
      hint: null,
      message: 'null value in column "title" of relation "articles" violates not-null constraint',
    },
    title: 'null value in column "title" of relation "articles" violates not-null constraint',
  },
  {
    server: 'Hasura',
    link: 'https://hasura.io/docs/2.0/api-reference/graphql-api/overview/',
    body: {
      errors: [
        {
          message: 'null value found for non-nullable type: "String!"',
          extensions: { path: '$.selectionSet.insert_articles.args.objects[0].title', code: 'validation-failed' },
        },
      ],
    },
    title: 'null value found for non-nullable type: "String!"',
  },
  {
    server: 'Lighthouse (GraphQL)',
    link: 'https://lighthouse-php.com/6/security/validation.html',
    body: {
      errors: [
        {
          message: 'Validation failed for the field [createArticle].',
          path: ['createArticle'],
          extensions: { validation: { 'input.title': ['The title field is required.'] } },
        },
      ],
      data: { createArticle: null },
    },
    title: 'The title field is required.',
  },
  {
    server: 'Phoenix and Ecto',
    link: 'https://hexdocs.pm/ecto/Ecto.Changeset.html#traverse_errors/2',
    body: { errors: { title: ["can't be blank"], tags: [{}, { label: ['is taken'] }] } },
    title: "can't be blank",
    others: { tags: 'is taken' },
  },
  {
    server: 'JSON:API',
    link: 'https://jsonapi.org/format/#error-objects',
    body: {
      errors: [
        { status: '422', source: { pointer: '/data/attributes/title' }, title: 'Invalid', detail: 'Too short.' },
        { status: '422', source: { pointer: '/data' }, title: 'Invalid', detail: 'Not both.' },
      ],
    },
    title: 'Too short.',
    alert: ['Not both.'],
  },
  {
    server: 'RFC 9457',
    link: 'https://www.rfc-editor.org/rfc/rfc9457#section-3',
    body: {
      type: 'https://example.net/validation-error',
      title: 'Your request is not valid.',
      errors: [{ detail: 'must be short', pointer: '#/title' }],
    },
    title: 'must be short',
  },
  {
    server: 'RFC 7807, invalid-params',
    link: 'https://www.rfc-editor.org/rfc/rfc7807#section-3.2',
    body: {
      type: 'https://example.net/validation-error',
      title: "Your request parameters didn't validate.",
      'invalid-params': [{ name: 'title', reason: 'must be short' }],
    },
    title: 'must be short',
  },
  {
    server: 'GitHub',
    link: 'https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed',
    body: { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
    title: 'This is required.',
  },
  {
    server: 'GitLab',
    link: 'https://docs.gitlab.com/api/rest/troubleshooting/#validation-errors',
    body: { message: { title: ["can't be blank"], base: ['Not both.'] } },
    title: "can't be blank",
    alert: ['Not both.'],
  },
  {
    server: 'Stripe',
    link: 'https://docs.stripe.com/api/errors',
    body: {
      error: {
        code: 'parameter_missing',
        doc_url: 'https://stripe.com/docs/error-codes/parameter-missing',
        message: 'Missing required param: title.',
        param: 'title',
        type: 'invalid_request_error',
      },
    },
    title: 'Missing required param: title.',
  },
  {
    server: 'Google',
    link: 'https://cloud.google.com/apis/design/errors',
    body: {
      error: {
        code: 400,
        message: 'Invalid argument',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'article.title', description: 'Title is required.' }],
          },
        ],
      },
    },
    title: 'Title is required.',
  },
  {
    server: 'Salesforce',
    link: 'https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm',
    body: [{ message: 'Required fields are missing: [title]', errorCode: 'REQUIRED_FIELD_MISSING', fields: ['title'] }],
    title: 'Required fields are missing: [title]',
  },
  {
    server: 'Feathers',
    link: 'https://feathersjs.com/api/schema/validators',
    body: {
      name: 'BadRequest',
      message: 'validation failed',
      code: 400,
      className: 'bad-request',
      data: [
        {
          instancePath: '/title',
          schemaPath: '#/properties/title/minLength',
          keyword: 'minLength',
          params: { limit: 1 },
          message: 'must NOT have fewer than 1 characters',
        },
      ],
    },
    title: 'must NOT have fewer than 1 characters',
  },
  {
    server: 'Mongoose',
    link: 'https://mongoosejs.com/docs/validation.html#validation-errors',
    body: {
      errors: {
        title: {
          name: 'ValidatorError',
          message: 'Path `title` is required.',
          properties: { message: 'Path `title` is required.', type: 'required', path: 'title' },
          kind: 'required',
          path: 'title',
        },
      },
      _message: 'Article validation failed',
      name: 'ValidationError',
      message: 'Article validation failed: title: Path `title` is required.',
    },
    title: 'Path `title` is required.',
  },
  {
    server: 'LoopBack 4',
    link: 'https://loopback.io/doc/en/lb4/Validation-REST-layer.html',
    body: {
      error: {
        statusCode: 422,
        name: 'UnprocessableEntityError',
        message: 'The request body is invalid. See error object `details` property for more info.',
        code: 'VALIDATION_FAILED',
        details: [
          {
            path: '',
            code: 'required',
            message: "must have required property 'title'",
            info: { missingProperty: 'title' },
          },
        ],
      },
    },
    title: "must have required property 'title'",
  },
  {
    server: 'LoopBack 3',
    link: 'https://loopback.io/doc/en/lb3/Validating-model-data.html',
    body: {
      error: {
        statusCode: 422,
        name: 'ValidationError',
        message: "The `Article` instance is not valid. Details: `title` can't be blank (value: undefined).",
        details: { context: 'Article', codes: { title: ['presence'] }, messages: { title: ["can't be blank"] } },
      },
    },
    title: "can't be blank",
  },
  {
    server: 'Sails',
    link: 'https://sailsjs.com/documentation/concepts/actions-and-controllers#?exit-signals',
    body: {
      code: 'E_MISSING_OR_INVALID_PARAMS',
      problems: ['Invalid "title":\n  · Expecting a string, but got a number.'],
      message: 'The server could not fulfill this request (`POST /articles`) due to 1 missing or invalid parameter.',
    },
    title: 'Invalid "title":\n  · Expecting a string, but got a number.',
  },
  {
    server: 'Sails 0.12',
    link: 'https://0.12.sailsjs.com/documentation/concepts/models-and-orm/errors',
    body: {
      error: 'E_VALIDATION',
      status: 400,
      summary: '1 attribute is invalid',
      invalidAttributes: {
        title: [{ rule: 'required', message: '"required" validation rule failed for input: null' }],
      },
    },
    title: '"required" validation rule failed for input: null',
  },
  {
    server: 'Parse Server',
    link: 'https://docs.parseplatform.org/rest/guide/#error-codes',
    body: { code: 142, error: 'title is required' },
    title: 'title is required',
  },
  {
    server: 'Frappe',
    link: 'https://docs.frappe.io/framework/user/en/api/rest',
    body: {
      exception: 'frappe.exceptions.ValidationError: Not both.',
      exc_type: 'ValidationError',
      exc: '["Traceback (most recent call last):\\n  File \\"app.py\\", line 1, in handle\\n"]',
      _server_messages: '["{\\"message\\": \\"Not both.\\", \\"title\\": \\"Message\\", \\"indicator\\": \\"red\\"}"]',
    },
    alert: ['Not both.'],
  },
];

test.each(REFUSALS)('$server: each message is at its field, or in the alert without keys of the format', refusal => {
  const { body, title, others, alert = [] } = refusal;
  const { byField, ofForm } = assignErrors(fields, readErrors(body, fields));
  expect(Object.fromEntries(byField)).toEqual({ ...(title !== undefined && { title }), ...others });
  expect(ofForm.join(' ')).toBe(alert.join(' '));
  expect(serverMessage(body) ?? '').not.toMatch(/^\s*[[{]/);
});
