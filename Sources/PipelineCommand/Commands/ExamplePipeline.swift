/// The pipeline that `init` writes.
enum ExamplePipeline {
    static let text = """
        {
          "name": "Start",
          "baseURL": "{{API}}",
          "variables": { "API": "stub:", "user": "ada" },
          "defaults": { "headers": { "Accept": "application/json" }, "timeout": "10s" },
          "requests": [
            {
              "name": "login",
              "method": "POST",
              "url": "/login",
              "body": { "json": { "user": "{{user}}" } },
              "captures": { "token": { "json": "$.token", "secret": true } },
              "example": { "body": { "json": { "token": "example-token" } } }
            },
            {
              "name": "profile",
              "url": "/users/{{user}}",
              "auth": { "bearer": "{{token}}" },
              "expect": { "status": 200, "json": { "$.name": "Ada" } },
              "captures": { "id": "$.id" },
              "example": { "body": { "json": { "id": 42, "name": "Ada" } } }
            },
            {
              "name": "feed",
              "url": "/feed",
              "query": { "user": "{{id}}", "limit": 20 },
              "auth": { "bearer": "{{token}}" },
              "example": { "body": { "json": { "items": [] } }, "delay": "50ms" }
            }
          ]
        }

        """
}
