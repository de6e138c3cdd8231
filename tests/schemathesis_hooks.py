"""What schemathesis cannot know about this API."""

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    # A cursor is sealed by the server, so none that is made up is valid, whatever its form.
    # Malformed ones are still sent: those cases are not positive.
    if case.meta is not None and case.meta.generation.mode.is_positive and case.query:
        case.query.pop("cursor", None)
