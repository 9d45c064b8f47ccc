"""Imports contacts from a CSV file and waits until the import is completed. Needs Python 3 only.

HELIOGRAPH_URL: the address of the gateway. HELIOGRAPH_KEY: an API key.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("HELIOGRAPH_URL", "http://localhost:8080")
KEY = os.environ["HELIOGRAPH_KEY"]


def call(method, path, body=None, content_type="application/json"):
    """Calls the API and returns the JSON of the response. Ends the program with the message of an error response."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": content_type}
    request = urllib.request.Request(URL + path, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


CSV = """email,first_name,plan
python@elsewhere.example,Python,pro
snake@elsewhere.example,Snake,free
"""

job = call("POST", "/api/v1/contacts/import", CSV.encode(), "text/csv")
while job["status"] in ("queued", "running"):
    time.sleep(0.5)
    job = call("GET", f"/api/v1/contacts/import/{job['id']}")
if job["status"] != "completed":
    sys.exit(f"The import is {job['status']}: {(job['error'] or {}).get('message')}")
print(f"The import is {job['status']}: {job['created']} created, {job['updated']} updated.")

found = call("GET", "/api/v1/contacts?search=python%40elsewhere")
print(f"The plan of {found['data'][0]['first_name']} is {found['data'][0]['attributes']['plan']}.")
