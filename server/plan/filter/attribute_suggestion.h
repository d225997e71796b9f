// What a query may have meant by an attribute that does not exist.
#pragma once

#include <string>
#include <string_view>

#include "storage/attribute/attribute_schema.h"

namespace freqstore {

/// The attribute's name that is most like `name`; empty if none is like it.
std::string NearestAttribute(std::string_view name, const AttributeSchema& schema);

/// "there is no attribute 'widht'; did you mean 'width'? Attributes: label, camera, ...".
std::string UnknownAttributeMessage(std::string_view name, const AttributeSchema& schema);

}  // namespace freqstore
